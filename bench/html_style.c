/* bench/html_style.c - the style sheet and the script of a report. Colours are variables with a light and a dark value;
 * the eight of the series stay apart for the colour-blind, and every series has a shape of its own besides. */
#include "bench/html_section.h"

static const char *const style[] = {
    /* colours */
    ":root{color-scheme:light dark;--page:#f6f7f9;--card:#fff;--ink:#16202b;--soft:#566472;--faint:#8794a1;"
    "--rule:#e3e7ec;--grid:#eceff3;--accent:#0b62a8;--wash:#e8f0f8;--bad:#b3261e;--badwash:#fcebea;"
    "--good:#0a7a5c;--goodwash:#e4f4ee;--warn:#8a6100;--warnwash:#fbf2dc;--on:#fff;"
    "--c0:#0b62a8;--c1:#c24a12;--c2:#0a7f60;--c3:#a8458f;--c4:#8f6500;--c5:#1f7c9c;--c6:#5a4db0;--c7:#6f6257;"
    "--other:#98a3ae}",
    "@media(prefers-color-scheme:dark){:root{--page:#10151b;--card:#171e26;--ink:#e6ebf0;--soft:#a3b0bd;"
    "--faint:#75828f;--rule:#29323c;--grid:#212a33;--accent:#6cb6f5;--wash:#1b2b3a;--bad:#ff8a80;--badwash:#3a1f1f;"
    "--good:#5fd3ae;--goodwash:#16302a;--warn:#f0c260;--warnwash:#33290f;--on:#10151b;"
    "--c0:#6cb6f5;--c1:#ff9b6a;--c2:#4fd0a6;--c3:#ea9bd2;--c4:#efc05a;--c5:#8fdcf5;--c6:#b0a4f7;--c7:#c9b9a8;"
    "--other:#6c7884}}",
    /* text */
    "*{box-sizing:border-box}html{-webkit-text-size-adjust:100%}",
    "body{margin:0;background:var(--page);color:var(--ink);font:15px/1.5 system-ui,-apple-system,\"Segoe UI\",Roboto,"
    "\"Helvetica Neue\",\"Noto Sans\",\"DejaVu Sans\",sans-serif;font-variant-numeric:tabular-nums}",
    "main,header,footer{max-width:1120px;margin:0 auto;padding:0 24px}",
    "h1{font-size:30px;line-height:1.2;letter-spacing:-.02em;margin:0 0 6px;font-weight:650;text-wrap:balance}",
    "h2{font-size:22px;line-height:1.25;letter-spacing:-.01em;margin:0;font-weight:650}",
    "h3{font-size:15px;margin:0 0 14px;font-weight:600}",
    "h4{overflow-wrap:anywhere;font-size:12.5px;margin:18px 0 4px;font-weight:600;color:var(--soft)}",
    "p{margin:0 0 10px}a{color:var(--accent)}small{font-size:12.5px;color:var(--soft);font-weight:400}",
    "code,pre,.id{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,\"DejaVu Sans Mono\",monospace;"
    "font-size:.87em}",
    ".id{overflow-wrap:anywhere}td .id,td.id{overflow-wrap:normal;white-space:nowrap}.soft{color:var(--soft)}",
    "pre{background:var(--page);border:1px solid var(--rule);border-radius:6px;padding:10px 12px;margin:8px 0;"
    "overflow-x:auto;white-space:pre-wrap;overflow-wrap:anywhere;max-height:320px;overflow-y:auto}",
    /* head of the page */
    "header{padding-top:40px;padding-bottom:8px}.eyebrow{font-size:13px;color:var(--soft);margin:0 0 10px;"
    "font-weight:600;letter-spacing:.01em}",
    ".lede{color:var(--soft);margin:0 0 20px}",
    ".tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(128px,1fr));gap:1px;background:var(--rule);"
    "border:1px solid var(--rule);border-radius:10px;overflow:hidden;margin:0 0 20px}",
    ".tile{background:var(--card);padding:14px 18px}.tile b{display:block;font-size:26px;line-height:1.2;"
    "font-weight:650;letter-spacing:-.01em}.tile span{font-size:13px;color:var(--soft)}.tile.bad b{color:var(--bad)}"
    ".tile.good b{color:var(--good)}",
    "nav{display:flex;flex-wrap:wrap;gap:6px 18px;font-size:14px;border-bottom:1px solid var(--rule);"
    "padding-bottom:14px}nav a{text-decoration:none}nav a:hover{text-decoration:underline}",
    /* sections and cards */
    "section{margin:40px 0 0}.head{overflow-wrap:anywhere;display:flex;flex-wrap:wrap;align-items:baseline;gap:2px "
    "14px;margin:0 0 14px}",
    "figure,.card{background:var(--card);border:1px solid var(--rule);border-radius:10px;padding:20px 22px 16px;"
    "margin:0 0 16px}",
    "figcaption,nav a,h1,.failure li,.warning "
    "li{overflow-wrap:anywhere}figcaption{font-size:13px;line-height:1.5;color:var(--soft);margin:14px 0 "
    "0;padding-top:10px;"
    "border-top:1px solid var(--rule);max-width:none}",
    ".badge{display:inline-block;font-size:12.5px;font-weight:600;padding:1px 9px;border-radius:99px;"
    "background:var(--warnwash);color:var(--warn);overflow-wrap:anywhere}.badge.bad{background:var(--badwash);"
    "color:var(--bad)}.badge.good{background:var(--goodwash);color:var(--good)}",
    ".failure{border-left:4px solid var(--bad)}.failure h3{margin:0 0 6px;display:flex;flex-wrap:wrap;gap:4px 10px;"
    "align-items:center}.failure ul{margin:6px 0;padding-left:20px}",
    ".allgood{color:var(--good);font-weight:600;margin:0}",
    ".warning{border-left:4px solid var(--warn)}",
    /* plots */
    "svg{display:block;overflow:visible}svg.defs{position:absolute;width:0;height:0}",
    ".field{padding:6px 16px 26px 74px}.field svg{width:100%}",
    ".ylabel,.xlabel{font-size:12.5px;color:var(--soft)}.ylabel{margin:-6px 0 4px}.xlabel{text-align:center;"
    "padding-left:74px}",
    "svg text{font-size:12px;fill:var(--soft)}.grid{stroke:var(--grid);stroke-width:1;shape-rendering:crispEdges}"
    ".axis{stroke:var(--faint);stroke-width:1;shape-rendering:crispEdges}",
    ".mark{stroke:var(--card);stroke-width:1.5}.mark:hover{stroke:var(--ink)}.key{stroke:none}",
    ".link{stroke-width:1.75;stroke-linecap:round}.fit{stroke-width:1.25;opacity:.75}"
    ".roof{stroke-width:2;stroke:var(--ink)!important}.roof2{stroke-width:1;stroke:var(--faint)!important;"
    "stroke-dasharray:5 4}.base{stroke:var(--faint)!important;stroke-width:1}",
    "svg text.note{fill:var(--ink);paint-order:stroke;stroke:var(--card);stroke-width:4px;stroke-linejoin:round}",
    ".legend{list-style:none;display:flex;flex-wrap:wrap;gap:4px 18px;margin:12px 0 0;padding:0;font-size:13px}"
    ".legend li{display:flex;align-items:center;gap:6px;overflow-wrap:anywhere}.legend svg{flex:none}",
    ".c0{fill:var(--c0);stroke:var(--c0)}.c1{fill:var(--c1);stroke:var(--c1)}.c2{fill:var(--c2);stroke:var(--c2)}"
    ".c3{fill:var(--c3);stroke:var(--c3)}.c4{fill:var(--c4);stroke:var(--c4)}.c5{fill:var(--c5);stroke:var(--c5)}"
    ".c6{fill:var(--c6);stroke:var(--c6)}.c7{fill:var(--c7);stroke:var(--c7)}.c8{fill:var(--other);"
    "stroke:var(--other)}.mark.c0,.mark.c1,.mark.c2,.mark.c3,.mark.c4,.mark.c5,.mark.c6,.mark.c7{"
    "stroke:var(--card)}",
    /* rows: name, bar, spread, value */
    ".r{display:grid;grid-template-columns:minmax(110px,190px) 5fr 4fr 82px;gap:0 18px;align-items:center;"
    "min-height:28px}.passes .r{grid-template-columns:minmax(110px,190px) 1fr 82px}",
    ".r.top{font-size:12.5px;color:var(--soft);min-height:0;padding-bottom:6px;border-bottom:1px solid "
    "var(--rule)}.r.top .v{font-size:12.5px}",
    ".n{font-size:13.5px;line-height:1.25;overflow-wrap:anywhere;padding:2px 0}.n small{display:block}.v{"
    "text-align:right;font-size:13.5px;white-space:nowrap}.r svg{width:100%}",
    ".preset{align-items:end;margin-top:14px}.preset h4{margin:0 0 2px}.preset .ends{font-size:12px;color:var(--soft)}"
    ".middle{text-align:center}.ends{display:flex;justify-content:space-between}.bar{fill:var(--accent)}.rail{fill:var("
    "--grid)}",
    ".sample{fill:var(--accent);opacity:.45}.whisker{stroke:var(--soft);stroke-width:1}.box{fill:var(--wash);"
    "stroke:var(--accent);stroke-width:1}.zero{stroke:var(--faint);stroke-width:1}.launch{fill:var(--c1);"
    "stroke:var(--card);stroke-width:1}svg text.out{fill:var(--warn);font-size:15px;font-weight:700}",
    ".segment{stroke:var(--card);stroke-width:1.5}svg text.in{fill:var(--on);font-size:11.5px;pointer-events:none}"
    ".swatch{width:12px;height:12px;border-radius:3px;flex:none}",
    /* tables */
    ".scroll{overflow-x:auto;margin:0 -4px;padding:0 4px}table{border-collapse:collapse;width:100%;font-size:13.5px}",
    "th,td{text-align:left;padding:6px 12px 6px 0;border-bottom:1px solid var(--rule);vertical-align:top}"
    "th{font-weight:600;color:var(--soft);font-size:12.5px;white-space:nowrap;vertical-align:bottom}",
    ".num{text-align:right;white-space:nowrap}tbody tr:last-child>*{border-bottom:0}.scroll+p{margin:10px 0 0}td "
    "code{overflow-wrap:anywhere}",
    "th button{all:unset;cursor:pointer}th button:hover{color:var(--ink)}th button:focus-visible{outline:2px solid "
    "var(--accent);outline-offset:2px}th[aria-sort=ascending] button::after{content:\" \\2191\"}"
    "th[aria-sort=descending] button::after{content:\" \\2193\"}",
    "details{margin:0 0 16px}summary{cursor:pointer;font-size:14px;font-weight:600;padding:4px 0}"
    "details[open]>summary{margin-bottom:8px}.failcell{color:var(--bad);font-weight:600}.facts "
    "th:first-child{white-space:normal;width:230px;"
    "min-width:130px}",
    ".meter{display:inline-block;width:96px;height:8px;border-radius:4px;background:var(--grid);overflow:hidden;"
    "vertical-align:1px;margin-left:10px}.meter i{display:block;height:100%;background:var(--accent)}"
    ".meter.over i{background:var(--bad)}",
    /* pictures */
    ".pictures{display:grid;grid-template-columns:repeat(auto-fill,minmax(300px,1fr));gap:18px}"
    ".triple{display:grid;grid-template-columns:repeat(3,1fr);gap:12px;margin-bottom:18px}",
    ".picture img{width:100%;height:auto;display:block;border-radius:6px;background:#000;image-rendering:auto}"
    ".picture div{font-size:13px;margin-top:6px;overflow-wrap:anywhere}.absent{border:1px dashed var(--faint);"
    "border-radius:6px;padding:24px 14px;font-size:13px;color:var(--soft);text-align:center}",
    "footer{color:var(--soft);font-size:13px;padding-top:28px;padding-bottom:44px}",
    /* a phone */
    "@media(max-width:640px){main,header,footer{padding-left:14px;padding-right:14px}h1{font-size:24px}"
    "header{padding-top:24px}figure,.card{padding:16px 14px 12px}.field{padding-left:72px;padding-right:10px}"
    ".xlabel{padding-left:72px}.r,.passes .r{grid-template-columns:1fr 1fr;gap:2px 14px;padding:5px 0}"
    ".r.top,.preset>span:not(.ends){display:none}.r .n{grid-row:1;grid-column:1}.r .n small{display:inline}.r "
    ".v{grid-row:1;grid-column:2}"
    ".passes .r svg{grid-column:1/3}.triple{grid-template-columns:1fr}.tile{padding:12px 14px}"
    ".tile b{font-size:22px}.tiles{grid-template-columns:1fr 1fr}.tile:last-child:nth-child(odd){grid-column:1/3}}",
    "@media print{body{background:#fff}figure,.card{break-inside:avoid}}",
};

/* Sorting: click a head, click again for the other direction. Numbers sort by data-v, the rest as text. */
static const char *const script[] = {
    "document.querySelectorAll('th button').forEach(b=>b.addEventListener('click',()=>{",
    "const h=b.parentNode,t=h.closest('table'),i=h.cellIndex,d=h.getAttribute('aria-sort')==='ascending'?-1:1;",
    "t.querySelectorAll('th').forEach(x=>x.removeAttribute('aria-sort'));",
    "h.setAttribute('aria-sort',d>0?'ascending':'descending');",
    "const v=r=>{const c=r.cells[i];return c.dataset.v===undefined?c.textContent:c.dataset.v===''?Infinity*d:"
    "+c.dataset.v};",
    "[...t.tBodies[0].rows].sort((p,q)=>{const x=v(p),y=v(q);return d*(typeof x==='number'&&typeof y==='number'?"
    "(x===y?0:x-y):String(x).localeCompare(String(y),undefined,{numeric:true}))})"
    ".forEach(r=>t.tBodies[0].append(r))}));",
};

void cmd_html_style(cmd_html *html)
{
    cmd_html_raw(html, "<style>\n");
    for (size_t i = 0; i < sizeof style / sizeof *style; i++) {
        cmd_html_raw(html, style[i]);
        cmd_html_raw(html, "\n");
    }
    cmd_html_raw(html, "</style>\n");
}

void cmd_html_script(cmd_html *html)
{
    cmd_html_raw(html, "<script>\n");
    for (size_t i = 0; i < sizeof script / sizeof *script; i++) {
        cmd_html_raw(html, script[i]);
        cmd_html_raw(html, "\n");
    }
    cmd_html_raw(html, "</script>\n");
}
