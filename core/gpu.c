/* core/gpu.c - instance, device selection by rule, opening, validation messages. */
#include "core/vk.h"

#include "core/select_device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char validation_layer[] = "VK_LAYER_KHRONOS_validation";

const char *vfx_vk_result_name(VkResult result)
{
    static const struct {
        VkResult result;
        const char *name;
    } names[] = {
        {VK_NOT_READY, "VK_NOT_READY"},
        {VK_TIMEOUT, "VK_TIMEOUT"},
        {VK_INCOMPLETE, "VK_INCOMPLETE"},
        {VK_ERROR_OUT_OF_HOST_MEMORY, "VK_ERROR_OUT_OF_HOST_MEMORY"},
        {VK_ERROR_OUT_OF_DEVICE_MEMORY, "VK_ERROR_OUT_OF_DEVICE_MEMORY"},
        {VK_ERROR_INITIALIZATION_FAILED, "VK_ERROR_INITIALIZATION_FAILED"},
        {VK_ERROR_DEVICE_LOST, "VK_ERROR_DEVICE_LOST"},
        {VK_ERROR_MEMORY_MAP_FAILED, "VK_ERROR_MEMORY_MAP_FAILED"},
        {VK_ERROR_LAYER_NOT_PRESENT, "VK_ERROR_LAYER_NOT_PRESENT"},
        {VK_ERROR_EXTENSION_NOT_PRESENT, "VK_ERROR_EXTENSION_NOT_PRESENT"},
        {VK_ERROR_FEATURE_NOT_PRESENT, "VK_ERROR_FEATURE_NOT_PRESENT"},
        {VK_ERROR_INCOMPATIBLE_DRIVER, "VK_ERROR_INCOMPATIBLE_DRIVER"},
        {VK_ERROR_TOO_MANY_OBJECTS, "VK_ERROR_TOO_MANY_OBJECTS"},
        {VK_ERROR_FORMAT_NOT_SUPPORTED, "VK_ERROR_FORMAT_NOT_SUPPORTED"},
        {VK_ERROR_INVALID_SHADER_NV, "VK_ERROR_INVALID_SHADER_NV"},
    };
    for (size_t i = 0; i < VFX_COUNT(names); ++i)
        if (names[i].result == result)
            return names[i].name;
    return "an unnamed VkResult";
}

vfx_status vfx_vk_check(VkResult result, const char *call, const char *file, int line)
{
    if (result == VK_SUCCESS)
        return VFX_OK;
    vfx_status status = VFX_VULKAN;
    if (result == VK_ERROR_OUT_OF_HOST_MEMORY || result == VK_ERROR_OUT_OF_DEVICE_MEMORY)
        status = VFX_MEMORY;
    else if (result == VK_ERROR_DEVICE_LOST)
        status = VFX_LOST;
    else if (result == VK_TIMEOUT)
        status = VFX_TIMEOUT;
    int name_length = (int)strcspn(call, "(");
    return vfx_fail(status, "%.*s failed: %s (%d) at %s:%d", name_length, call, vfx_vk_result_name(result), (int)result,
                    file, line);
}

/* ------------------------------------------------------------------------------------ instance */

static VKAPI_ATTR VkBool32 VKAPI_CALL on_message(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                                 VkDebugUtilsMessageTypeFlagsEXT types,
                                                 const VkDebugUtilsMessengerCallbackDataEXT *data, void *user)
{
    (void)severity;
    (void)types;
    vfx_gpu *gpu = user;
    if (gpu->messages++ == 0)
        snprintf(gpu->first_message, sizeof gpu->first_message, "%s", data->pMessage);
    return VK_FALSE;
}

static bool has_validation_layer(void)
{
    VkLayerProperties layers[64];
    uint32_t count = VFX_COUNT(layers);
    if (vkEnumerateInstanceLayerProperties(&count, layers) < 0)
        return false;
    for (uint32_t i = 0; i < count; ++i)
        if (strcmp(layers[i].layerName, validation_layer) == 0)
            return true;
    return false;
}

static vfx_status load_vulkan(void)
{
    if (volkInitialize() != VK_SUCCESS)
        return vfx_fail(VFX_UNSUPPORTED, "no Vulkan loader found; install libvulkan1 and a driver "
                                         "(mesa-vulkan-drivers for a software device)");
    if (volkGetInstanceVersion() < VK_API_VERSION_1_2)
        return vfx_fail(VFX_UNSUPPORTED, "the Vulkan loader is older than 1.2");
    return VFX_OK;
}

/* Does the loader or a driver offer names and regions, layer or not? */
static bool has_debug_utils(void)
{
    VkExtensionProperties rows[128];
    uint32_t count = VFX_COUNT(rows);
    if (vkEnumerateInstanceExtensionProperties(NULL, &count, rows) < 0)
        return false;
    for (uint32_t i = 0; i < count; ++i)
        if (strcmp(rows[i].extensionName, VK_EXT_DEBUG_UTILS_EXTENSION_NAME) == 0)
            return true;
    return false;
}

static vfx_status create_instance(vfx_gpu *gpu, vfx_validation validation, bool labels)
{
    VFX_TRY(load_vulkan());
    gpu->validating = validation != VFX_VALIDATION_OFF && has_validation_layer();
    if (validation == VFX_VALIDATION_REQUIRE && !gpu->validating)
        return vfx_fail(VFX_VULKAN, "validation is required but %s is not installed (package vulkan-validationlayers)",
                        validation_layer);
    const char *layers[] = {validation_layer};
    const char *extensions[] = {VK_EXT_DEBUG_UTILS_EXTENSION_NAME, VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME};
    VkValidationFeatureEnableEXT enables[] = {VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT};
    VkDebugUtilsMessengerCreateInfoEXT messenger = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
        .messageSeverity =
            VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
        .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
        .pfnUserCallback = on_message,
        .pUserData = gpu,
    };
    VkValidationFeaturesEXT features = {
        .sType = VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT,
        .pNext = &messenger,
        .enabledValidationFeatureCount = VFX_COUNT(enables),
        .pEnabledValidationFeatures = enables,
    };
    VkApplicationInfo application = {
        .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .pApplicationName = "vfxbench", .apiVersion = VK_API_VERSION_1_2};
    VkInstanceCreateInfo create = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, .pApplicationInfo = &application};
    if (gpu->validating) {
        create.pNext = &features;
        create.enabledLayerCount = VFX_COUNT(layers);
        create.ppEnabledLayerNames = layers;
        create.enabledExtensionCount = VFX_COUNT(extensions);
        create.ppEnabledExtensionNames = extensions;
    }
    gpu->labels = labels && (gpu->validating || has_debug_utils());
    if (gpu->labels && !gpu->validating) {
        create.enabledExtensionCount = 1; /* the first of them */
        create.ppEnabledExtensionNames = extensions;
    }
    VkResult result = vkCreateInstance(&create, NULL, &gpu->instance);
    if (result == VK_ERROR_INCOMPATIBLE_DRIVER)
        return vfx_fail(VFX_UNSUPPORTED, "no Vulkan driver found; install one (mesa-vulkan-drivers for a software "
                                         "device) or point VK_DRIVER_FILES at its manifest");
    VFX_TRY(vfx_vk_check(result, "vkCreateInstance", __FILE__, __LINE__));
    volkLoadInstance(gpu->instance);
    if (gpu->validating)
        VFX_VK(vkCreateDebugUtilsMessengerEXT(gpu->instance, &messenger, NULL, &gpu->messenger));
    return VFX_OK;
}

/* Physical devices and their descriptions; both arrays hold VFX_MAX_DEVICES. */
static vfx_status enumerate(vfx_gpu *gpu, VkPhysicalDevice *physical, vfx_device_info *infos, uint32_t *count)
{
    *count = VFX_MAX_DEVICES;
    VkResult result = vkEnumeratePhysicalDevices(gpu->instance, count, physical);
    if (result != VK_INCOMPLETE)
        VFX_TRY(vfx_vk_check(result, "vkEnumeratePhysicalDevices", __FILE__, __LINE__));
    if (*count == 0)
        return vfx_fail(VFX_UNSUPPORTED, "no Vulkan device found; `mesa-vulkan-drivers` brings a software device");
    for (uint32_t i = 0; i < *count; ++i)
        vfx_vk_describe(physical[i], i, &infos[i]);
    return VFX_OK;
}

vfx_status vfx_devices(vfx_device_info **list, uint32_t *count)
{
    *list = NULL;
    *count = 0;
    VkPhysicalDevice physical[VFX_MAX_DEVICES];
    vfx_device_info *infos = calloc(VFX_MAX_DEVICES, sizeof *infos);
    if (!infos)
        return vfx_fail(VFX_MEMORY, "out of memory listing devices");
    vfx_gpu gpu = {0};
    vfx_status status = create_instance(&gpu, VFX_VALIDATION_OFF, false);
    if (status == VFX_OK)
        status = enumerate(&gpu, physical, infos, count);
    if (gpu.instance)
        vkDestroyInstance(gpu.instance, NULL);
    if (status != VFX_OK) {
        free(infos);
        *count = 0;
        return status;
    }
    *list = infos;
    return VFX_OK;
}

/* -------------------------------------------------------------------------------------- device */

/* Has the device, and its driver's compiler, statistics of pipelines to give? */
static bool has_statistics(VkPhysicalDevice physical)
{
    VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR feature = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR};
    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &feature};
    if (!vfx_vk_has_extension(physical, VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME))
        return false;
    vkGetPhysicalDeviceFeatures2(physical, &features);
    return feature.pipelineExecutableInfo;
}

static vfx_status create_device(vfx_gpu *gpu)
{
    float priority = 1.0f;
    VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                     .queueFamilyIndex = gpu->info.queue_family,
                                     .queueCount = 1,
                                     .pQueuePriorities = &priority};
    VkPhysicalDeviceVulkan11Features v11 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES,
                                            .storageBuffer16BitAccess = gpu->info.float16_storage};
    VkPhysicalDeviceVulkan12Features v12 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .pNext = &v11, .scalarBlockLayout = VK_TRUE};
    VkDeviceCreateInfo create = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                 .pNext = &v12,
                                 .queueCreateInfoCount = 1,
                                 .pQueueCreateInfos = &queue};
    VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR statistics = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR,
        .pNext = &v12,
        .pipelineExecutableInfo = VK_TRUE};
    const char *extensions[] = {VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME};
    gpu->executable_statistics = has_statistics(gpu->physical);
    if (gpu->executable_statistics) {
        create.pNext = &statistics;
        create.enabledExtensionCount = VFX_COUNT(extensions);
        create.ppEnabledExtensionNames = extensions;
    }
    VFX_VK(vkCreateDevice(gpu->physical, &create, NULL, &gpu->device));
    volkLoadDevice(gpu->device);
    vkGetDeviceQueue(gpu->device, gpu->info.queue_family, 0, &gpu->queue);
    vkGetPhysicalDeviceMemoryProperties(gpu->physical, &gpu->memory);
    VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                    .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
                                    .queueFamilyIndex = gpu->info.queue_family};
    VFX_VK(vkCreateCommandPool(gpu->device, &pool, NULL, &gpu->pool));
    return VFX_OK;
}

static vfx_status open_device(vfx_gpu *gpu, const vfx_gpu_desc *desc, vfx_device_info *infos)
{
    VFX_TRY(create_instance(gpu, desc->validation, desc->labels));
    VkPhysicalDevice physical[VFX_MAX_DEVICES];
    uint32_t count, chosen;
    VFX_TRY(enumerate(gpu, physical, infos, &count));
    VFX_TRY(vfx_select_device(infos, count, desc->device, desc->allow_cpu, &chosen));
    gpu->physical = physical[chosen];
    gpu->info = infos[chosen];
    VkPhysicalDeviceProperties properties;
    vkGetPhysicalDeviceProperties(gpu->physical, &properties);
    gpu->limits = properties.limits;
    gpu->fence_timeout_ns = 1000000ull * (desc->fence_timeout_ms ? desc->fence_timeout_ms : 10000u);
    gpu->batch_budget_ns = 1e6 * (desc->batch_budget_ms ? desc->batch_budget_ms : 100u);
    return create_device(gpu);
}

vfx_status vfx_gpu_create(vfx_gpu **gpu, const vfx_gpu_desc *desc)
{
    *gpu = calloc(1, sizeof **gpu);
    vfx_device_info *infos = calloc(VFX_MAX_DEVICES, sizeof *infos);
    vfx_status status =
        *gpu && infos ? open_device(*gpu, desc, infos) : vfx_fail(VFX_MEMORY, "out of memory opening a device");
    free(infos);
    if (status != VFX_OK) {
        vfx_gpu_destroy(*gpu);
        *gpu = NULL;
    }
    return status;
}

void vfx_gpu_destroy(vfx_gpu *gpu)
{
    if (!gpu)
        return;
    if (gpu->hung) { /* even waiting for it could take for ever */
        free(gpu);
        return;
    }
    if (gpu->device) {
        vkDeviceWaitIdle(gpu->device);
        vkDestroyCommandPool(gpu->device, gpu->pool, NULL);
        vkDestroyDevice(gpu->device, NULL);
    }
    if (gpu->messenger)
        vkDestroyDebugUtilsMessengerEXT(gpu->instance, gpu->messenger, NULL);
    if (gpu->instance)
        vkDestroyInstance(gpu->instance, NULL);
    free(gpu);
}

const vfx_device_info *vfx_gpu_info(const vfx_gpu *gpu)
{
    return &gpu->info;
}

bool vfx_gpu_validating(const vfx_gpu *gpu)
{
    return gpu->validating;
}

uint32_t vfx_gpu_messages(vfx_gpu *gpu, char *first, size_t bytes)
{
    uint32_t count = gpu->messages;
    if (first && bytes)
        snprintf(first, bytes, "%s", count ? gpu->first_message : "");
    gpu->messages = 0;
    return count;
}
