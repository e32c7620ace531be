/* fuzz_gltf_seeds.h - the models that scripts/fuzz_gltf.c changes: what the reader's own test writes (skins, morph
 * targets, sparse accessors, clips of all kinds, eight joints). JSON with ' for ", and the bytes of buffer 0 in hex. */
#ifndef FUZZ_GLTF_SEEDS_H
#define FUZZ_GLTF_SEEDS_H

static const struct {
    const char *json, *hex;
} built_in_seeds[] = {
    {"{'asset':{'version':'2.0'},'buffers':[{'byteLength':411}],'bufferViews':[{'buffer':0,'byteOffset':0,"
     "'byteLength':36},{'buffer':0,'byteOffset':36,'byteLength':36},{'buffer':0,'byteOffset':72,'byteLength':12},"
     "{'buffer':0,'byteOffset':84,'byteLength':48},{'buffer':0,'byteOffset':132,'byteLength':36},{'buffer':0,"
     "'byteOffset':168,'byteLength':24},{'buffer':0,'byteOffset':192,'byteLength':12},{'buffer':0,"
     "'byteOffset':204,'byteLength':36},{'buffer':0,'byteOffset':240,'byteLength':128},{'buffer':0,"
     "'byteOffset':368,'byteLength':8},{'buffer':0,'byteOffset':376,'byteLength':32},{'buffer':0,'byteOffset':408,"
     "'byteLength':3}],'accessors':[{'bufferView':0,'componentType':5126,'type':'VEC3','count':3},{'bufferView':1,"
     "'componentType':5126,'type':'VEC3','count':3},{'bufferView':2,'componentType':5121,'type':'VEC4','count':3},"
     "{'bufferView':3,'componentType':5126,'type':'VEC4','count':3},{'bufferView':4,'componentType':5126,"
     "'type':'VEC3','count':3},{'bufferView':5,'componentType':5123,'type':'VEC4','count':3},{'bufferView':6,"
     "'componentType':5121,'type':'VEC4','count':3,'normalized':true},{'bufferView':7,'componentType':5126,"
     "'type':'VEC3','count':3},{'bufferView':8,'componentType':5126,'type':'MAT4','count':2},{'bufferView':9,"
     "'componentType':5126,'type':'SCALAR','count':2},{'bufferView':10,'componentType':5126,'type':'VEC4',"
     "'count':2},{'bufferView':11,'componentType':5121,'type':'SCALAR','count':3}],'scene':0,"
     "'scenes':[{'nodes':[0,1,2]}],'nodes':[{'name':'body','mesh':0,'skin':0,'translation':[9,9,9]},"
     "{'name':'cloak','mesh':1,'skin':1,'scale':[5,5,5]},{'name':'hip','children':[3]},{'name':'head',"
     "'translation':[0,1,0],'children':[4]},{'name':'sword','mesh':2,'translation':[1,0,0]}],"
     "'meshes':[{'primitives':[{'attributes':{'POSITION':0,'NORMAL':1,'JOINTS_0':2,'WEIGHTS_0':3}}]},"
     "{'primitives':[{'attributes':{'POSITION':4,'NORMAL':1,'JOINTS_0':5,'WEIGHTS_0':6},'indices':11}]},"
     "{'primitives':[{'attributes':{'POSITION':7,'NORMAL':1}}]}],'skins':[{'joints':[2,3],"
     "'inverseBindMatrices':8},{'joints':[3,2]}],'animations':[{'name':'nod','samplers':[{'input':9,'output':10}],"
     "'channels':[{'sampler':0,'target':{'node':3,'path':'rotation'}}]}]}",
     "000000000000000000000000000000000000803f0000000000000000000000400000000000000000000000000000803f000000000000"
     "00000000803f00000000000000000000803f0000000000010000010000000000803f0000000000000000000000000000003f0000003f"
     "00000000000000000000803f0000000000000000000000000000803f0000000000000000000000000000803f00000000000000000000"
     "00000000803f000000000000000001000000000000000000000000000000ff000000ff000000ff0000000000803f0000000000000000"
     "000000000000803f0000000000000000000000000000803f0000803f000000000000000000000000000000000000803f000000000000"
     "000000000000000000000000803f000000000000000000000000000000000000803f0000803f00000000000000000000000000000000"
     "0000803f000000000000000000000000000000000000803f0000000000000000000080bf000000000000803f0000003f0000c03f0000"
     "000000000000000000000000803f0000000000000000f304353ff304353f020100"},
    {"{'asset':{'version':'2.0'},'buffers':[{'byteLength':116}],'bufferViews':[{'buffer':0,'byteOffset':0,"
     "'byteLength':36},{'buffer':0,'byteOffset':36,'byteLength':36},{'buffer':0,'byteOffset':72,'byteLength':1},"
     "{'buffer':0,'byteOffset':76,'byteLength':12},{'buffer':0,'byteOffset':88,'byteLength':4},{'buffer':0,"
     "'byteOffset':92,'byteLength':24}],'accessors':[{'bufferView':0,'componentType':5126,'type':'VEC3',"
     "'count':3},{'bufferView':1,'componentType':5126,'type':'VEC3','count':3},{'componentType':5126,"
     "'type':'VEC3','count':3,'sparse':{'count':1,'indices':{'bufferView':2,'componentType':5121},"
     "'values':{'bufferView':3}}},{'bufferView':1,'componentType':5126,'type':'VEC3','count':3,"
     "'sparse':{'count':2,'indices':{'bufferView':4,'componentType':5123},'values':{'bufferView':5}}}],"
     "'nodes':[{'mesh':0,'weights':[1,0]},{'name':'other','mesh':0}],'meshes':[{'weights':[0.25,0.5],"
     "'primitives':[{'attributes':{'POSITION':0,'NORMAL':1},'targets':[{'POSITION':2},{'NORMAL':3}]},"
     "{'attributes':{'POSITION':0},'targets':[{'POSITION':2},{}]}]}]}",
     "0000000000000000000000000000803f0000000000000000000000000000803f0000000000000000000000000000803f000000000000"
     "00000000803f00000000000000000000803f0100000000000000000000000000803f000002000000a0400000c0400000e04000000041"
     "0000104100002041"},
    {"{'asset':{'version':'2.0'},'buffers':[{'byteLength':200}],'bufferViews':[{'buffer':0,'byteOffset':0,"
     "'byteLength':36},{'buffer':0,'byteOffset':36,'byteLength':8},{'buffer':0,'byteOffset':44,'byteLength':24},"
     "{'buffer':0,'byteOffset':68,'byteLength':96},{'buffer':0,'byteOffset':164,'byteLength':4},{'buffer':0,"
     "'byteOffset':168,'byteLength':12},{'buffer':0,'byteOffset':180,'byteLength':4},{'buffer':0,'byteOffset':184,"
     "'byteLength':16}],'accessors':[{'bufferView':0,'componentType':5126,'type':'VEC3','count':3},"
     "{'bufferView':1,'componentType':5126,'type':'SCALAR','count':2},{'bufferView':2,'componentType':5126,"
     "'type':'VEC3','count':2},{'bufferView':3,'componentType':5126,'type':'VEC4','count':6},{'bufferView':4,"
     "'componentType':5126,'type':'SCALAR','count':1},{'bufferView':5,'componentType':5126,'type':'VEC3',"
     "'count':1},{'bufferView':6,'componentType':5121,'type':'SCALAR','count':4,'normalized':true},"
     "{'bufferView':7,'componentType':5122,'type':'VEC4','count':2,'normalized':true}],'nodes':[{'mesh':0,"
     "'name':'a'}],'meshes':[{'primitives':[{'attributes':{'POSITION':0},'targets':[{},{}]}]}],"
     "'animations':[{'samplers':[{'input':1,'output':2,'interpolation':'STEP'},{'input':1,'output':3,"
     "'interpolation':'CUBICSPLINE'},{'input':4,'output':5},{'input':1,'output':6}],'channels':[{'sampler':0,"
     "'target':{'node':0,'path':'translation'}},{'sampler':1,'target':{'node':0,'path':'rotation'}},{'sampler':2,"
     "'target':{'node':0,'path':'scale'}},{'sampler':3,'target':{'node':0,'path':'weights'}}]},{'name':'b',"
     "'samplers':[{'input':1,'output':7}],'channels':[{'sampler':0,'target':{'path':'pointer'}},{'sampler':0,"
     "'target':{'node':0,'path':'rotation'}}]}]}",
     "0000000000000000000000000000803f0000000000000000000000000000803f000000000000803f000040400000803f000000400000"
     "4040000080400000a0400000c04000001041000010410000104100001041000000000000000000000040000000000000004100000041"
     "00000041000000410000e0400000e0400000e0400000e040000000000000000000000000000040c00000c0400000c0400000c0400000"
     "c04000002040000080bf0000803f0000803f00ff3366000000000000ff7f0000825a00007ea5"},
    {"{'asset':{'version':'2.0'},'buffers':[{'byteLength':156}],'bufferViews':[{'buffer':0,'byteOffset':0,"
     "'byteLength':36},{'buffer':0,'byteOffset':36,'byteLength':12},{'buffer':0,'byteOffset':48,'byteLength':48},"
     "{'buffer':0,'byteOffset':96,'byteLength':24},{'buffer':0,'byteOffset':120,'byteLength':24},{'buffer':0,"
     "'byteOffset':144,'byteLength':12}],'accessors':[{'bufferView':0,'componentType':5126,'type':'VEC3',"
     "'count':3},{'bufferView':1,'componentType':5121,'type':'VEC4','count':3},{'bufferView':2,"
     "'componentType':5126,'type':'VEC4','count':3},{'bufferView':3,'componentType':5123,'type':'VEC4','count':3,"
     "'normalized':true},{'bufferView':4,'componentType':5123,'type':'VEC4','count':3},{'bufferView':5,"
     "'componentType':5121,'type':'VEC4','count':3,'normalized':true}],'nodes':[{'name':'m','mesh':0,'skin':0},"
     "{'name':'tip'},{'name':'root','children':[1]}],'meshes':[{'primitives':[{'attributes':{'POSITION':0,"
     "'NORMAL':0,'JOINTS_0':1,'WEIGHTS_0':3,'JOINTS_1':4,'WEIGHTS_1':5}}]}],'skins':[{'joints':[1,2]}]}",
     "00000000000000000000803f0000803f0000000000000000000000000000803f000000000001000001000000000100000000803f0000"
     "40400000000000000000000000000000000000000000000000000000003f000080bf0000000000000000ffff0000000000000080ff7f"
     "00000000ffff000000000000010000000000000001000000000000000100090009000900ff00000000000000ff000000"},
};

#endif
