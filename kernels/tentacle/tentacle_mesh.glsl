/* tentacle_mesh.glsl - the particles of this frame, as the separate mesh passes read them. */
#ifndef TENTACLE_MESH_GLSL
#define TENTACLE_MESH_GLSL

#include "kernels/tentacle/tentacle.glsl"

TENTACLE_BUFFER(readonly, TENTACLE_BINDING_PARTICLE_NEXT, uvec4, particle_next)

TENTACLE_LOADER(tentacle_load_next, particle_next)

/* Cross-section of particle i. */
tentacle_ring tentacle_load_ring(uint i)
{
    return tentacle_ring_of(tentacle_load_next(i));
}

#endif
