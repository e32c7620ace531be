/* pbd_predict_brute.comp - PREDICT of variant brute, which has no cells. */
#version 450
#include "core/shared.h"

layout(local_size_x_id = 0) in;

#include "kernels/pbd/pbd_predict.glsl"

void main()
{
    uint i = pbd_thread();
    if (i < frame.count) {
        pbd_predict_store(i, pbd_predict_of(i), 0u);
    }
}
