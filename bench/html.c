/* bench/html.c - the buffer, the escaping and the numbers of html.h. */
#include "bench/html.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void append(cmd_html *html, const char *text, size_t bytes)
{
    size_t needed, doubled;
    if (html->failed)
        return;
    if (!vfx_add_size(html->bytes, bytes, &needed) || !vfx_add_size(needed, 1, &needed) ||
        !vfx_mul_size(html->capacity, 2, &doubled)) {
        html->failed = true;
        return;
    }
    if (needed > html->capacity) {
        size_t capacity = doubled > needed ? doubled : needed + 4096;
        char *grown = realloc(html->text, capacity);
        if (grown == NULL) {
            html->failed = true;
            return;
        }
        html->text = grown;
        html->capacity = capacity;
    }
    memcpy(html->text + html->bytes, text, bytes);
    html->bytes += bytes;
    html->text[html->bytes] = '\0';
}

void cmd_html_raw(cmd_html *html, const char *markup)
{
    append(html, markup, strlen(markup));
}

vfx_status cmd_html_status(const cmd_html *html)
{
    return html->failed ? vfx_fail(VFX_MEMORY, "out of memory for the page") : VFX_OK;
}

void cmd_html_free(cmd_html *html)
{
    free(html->text);
    memset(html, 0, sizeof *html);
}

/* ----------------------------------------------------------------------------------------- escaping */

/* Bytes of the UTF-8 sequence at `s`, 0 if it is none; *code is its character. */
static size_t decode(const unsigned char *s, uint32_t *code)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t length = s[0] < 0x80 ? 1 : s[0] < 0xc2 ? 0 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : s[0] < 0xf5 ? 4 : 0;
    *code = length < 2 ? s[0] : s[0] & (0x7fu >> length);
    for (size_t i = 1; i < length; i++) {
        if ((s[i] & 0xc0u) != 0x80)
            return 0;
        *code = *code << 6 | (s[i] & 0x3fu);
    }
    bool surrogate = *code >= 0xd800 && *code < 0xe000;
    return length > 0 && *code >= least[length] && *code < 0x110000 && !surrogate ? length : 0;
}

static bool is_hidden(uint32_t code)
{
    bool control = (code < 0x20 && code != '\n' && code != '\t') || (code >= 0x7f && code < 0xa0);
    bool direction = (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
    return control || direction;
}

void cmd_html_text(cmd_html *html, const char *text)
{
    const unsigned char *s = (const unsigned char *)(text != NULL ? text : "");
    while (*s != '\0') {
        uint32_t code;
        size_t length = decode(s, &code);
        const char *entity = length == 0 || is_hidden(code) ? "\xef\xbf\xbd"
                             : code == '&'                  ? "&amp;"
                             : code == '<'                  ? "&lt;"
                             : code == '>'                  ? "&gt;"
                             : code == '"'                  ? "&quot;"
                             : code == '\''                 ? "&#39;"
                                                            : NULL;
        if (entity != NULL)
            cmd_html_raw(html, entity);
        else
            append(html, (const char *)s, length);
        s += length > 0 ? length : 1;
    }
}

/* ---------------------------------------------------------------------------------------- appending */

/* One number by its conversion, "%.2f" or the like. */
static void add_number(cmd_html *html, const char *conversion, va_list *args)
{
    char text[400]; /* the largest double has 309 digits before its point */
    size_t last = strlen(conversion) - 1;
    text[0] = '\0';
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    if (conversion[last] == 'd')
        (void)snprintf(text, sizeof text, conversion, va_arg(*args, int));
    else if (conversion[last] == 'u' && conversion[last - 1] == 'z')
        (void)snprintf(text, sizeof text, conversion, va_arg(*args, size_t));
    else if (conversion[last] == 'u')
        (void)snprintf(text, sizeof text, conversion, va_arg(*args, unsigned));
    else {
        double value = va_arg(*args, double);
        (void)snprintf(text, sizeof text, conversion, isfinite(value) ? value : 0.0);
    }
#pragma GCC diagnostic pop
    cmd_html_raw(html, text);
}

void cmd_html_add(cmd_html *html, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    while (*format != '\0') {
        size_t plain = strcspn(format, "%");
        append(html, format, plain);
        format += plain;
        if (*format == '\0')
            break;
        size_t length = strcspn(format + 1, "sdugf%") + 2;
        char conversion[16] = "";
        if (length < sizeof conversion)
            memcpy(conversion, format, length);
        if (conversion[1] == '%')
            append(html, "%", 1);
        else if (conversion[1] == 's')
            cmd_html_text(html, va_arg(args, const char *));
        else if (conversion[0] != '\0')
            add_number(html, conversion, &args);
        format += length;
    }
    va_end(args);
}

void cmd_html_png(cmd_html *html, const void *data, size_t bytes)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *from = data;
    cmd_html_raw(html, "data:image/png;base64,");
    for (size_t i = 0; i < bytes; i += 3) {
        size_t left = bytes - i;
        uint32_t word = (uint32_t)from[i] << 16 | (left > 1 ? (uint32_t)from[i + 1] << 8 : 0) |
                        (left > 2 ? (uint32_t)from[i + 2] : 0);
        char quad[4] = {digits[word >> 18], digits[word >> 12 & 63], digits[word >> 6 & 63], digits[word & 63]};
        if (left < 3)
            quad[3] = '=';
        if (left < 2)
            quad[2] = '=';
        append(html, quad, 4);
    }
}

/* ------------------------------------------------------------------------------------------ numbers */

/* Three digits or all before the point: "1.23", "12.3", "123", "1234". */
static void significant(double value, const char *unit, char text[CMD_HTML_NUMBER])
{
    double size = fabs(value);
    int decimals = size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2;
    if (value == floor(value) && size < 1000.0)
        decimals = 0;
    if (size >= 1e7 || (size < 0.005 && size > 0.0))
        (void)snprintf(text, CMD_HTML_NUMBER, "%.2e%s", value, unit);
    else
        (void)snprintf(text, CMD_HTML_NUMBER, "%.*f%s", decimals, value, unit);
}

static bool no_data(double value, char text[CMD_HTML_NUMBER])
{
    (void)snprintf(text, CMD_HTML_NUMBER, "no data");
    return !isfinite(value);
}

void cmd_html_format_time(double ns, char text[CMD_HTML_NUMBER])
{
    static const char *const units[] = {" ns", " \xc2\xb5s", " ms", " s"};
    size_t i = 0;
    if (no_data(ns, text))
        return;
    for (; fabs(ns) >= 999.5 && i < 3; i++)
        ns /= 1e3;
    significant(ns, units[i], text);
}

void cmd_html_format_si(double value, const char *unit, char text[CMD_HTML_NUMBER])
{
    static const char *const prefixes[] = {"", "k", "M", "G", "T", "P"};
    char suffix[32];
    size_t i = 0;
    if (no_data(value, text))
        return;
    for (; fabs(value) >= 999.5 && i < 5; i++)
        value /= 1e3;
    bool space = *unit != '\0' || *prefixes[i] != '\0';
    (void)snprintf(suffix, sizeof suffix, "%s%s%s", space ? " " : "", prefixes[i], unit);
    significant(value, suffix, text);
}

void cmd_html_format_bytes(double value, char text[CMD_HTML_NUMBER])
{
    static const char *const units[] = {" B", " KiB", " MiB", " GiB", " TiB"};
    size_t i = 0;
    if (no_data(value, text))
        return;
    for (; fabs(value) >= 1023.5 && i < 4; i++)
        value /= 1024.0;
    significant(value, units[i], text);
}

void cmd_html_format_percent(double share, char text[CMD_HTML_NUMBER])
{
    if (!no_data(share, text))
        significant(100.0 * share, " %", text);
}
