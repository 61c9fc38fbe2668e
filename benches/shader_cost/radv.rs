//! Mesa's RADV driver on its null device: it compiles for a named AMD family without the hardware,
//! and says what its compiler made of a shader. Nothing can be run on that device.

use std::ffi::CStr;
use std::path::{Path, PathBuf};

use ash::vk;

/// The environment variable that names the family of the null device.
pub const FAMILY: &str = "RADV_FORCE_FAMILY";

/// Descriptor bindings a kernel may use.
const BINDINGS: u32 = 8;

/// Where the Vulkan loader keeps its drivers' manifests on Linux.
const MANIFESTS: &str = "/usr/share/vulkan/icd.d";

/// RADV's manifest on this machine, if it has one.
pub fn manifest() -> Option<PathBuf> {
    let files = Path::new(MANIFESTS).read_dir().ok()?;
    files.flatten().map(|file| file.path()).find(|path| {
        let name = path.file_name().and_then(|name| name.to_str());
        name.is_some_and(|name| name.starts_with("radeon_icd") && name.ends_with(".json"))
    })
}

/// A null device.
pub struct Radv {
    /// The driver and its version, as it calls itself.
    pub driver: String,
    device: ash::Device,
    executables: ash::khr::pipeline_executable_properties::Device,
    layout: vk::PipelineLayout,
    // Dropping it unloads the driver.
    _entry: ash::Entry,
}

impl Radv {
    /// Opens the device of the family that the environment names.
    pub fn open() -> Result<Radv, String> {
        let failed = |what: &'static str| move |error: vk::Result| format!("{what}: {error}");
        // SAFETY: the Vulkan loader has no preconditions of its own.
        let entry = unsafe { ash::Entry::load() }.map_err(|error| error.to_string())?;
        let application = vk::ApplicationInfo::default().api_version(vk::API_VERSION_1_3);
        let info = vk::InstanceCreateInfo::default().application_info(&application);
        // SAFETY: `info` and what it points to outlive the call; the entry outlives the instance.
        let instance = unsafe { entry.create_instance(&info, None) }.map_err(failed("instance"))?;
        // SAFETY: the instance is alive.
        let found = unsafe { instance.enumerate_physical_devices() }.map_err(failed("devices"))?;
        let physical = *found.first().ok_or("no device of this family")?;
        let mut driver = vk::PhysicalDeviceDriverProperties::default();
        let mut properties = vk::PhysicalDeviceProperties2::default().push_next(&mut driver);
        // SAFETY: the physical device is the instance's.
        unsafe { instance.get_physical_device_properties2(physical, &mut properties) };
        let device = open_device(&instance, physical).map_err(failed("device"))?;
        let layout = layout(&device).map_err(failed("layout"))?;
        Ok(Radv {
            driver: format!(
                "{} {}",
                text(&driver.driver_name),
                text(&driver.driver_info)
            ),
            executables: ash::khr::pipeline_executable_properties::Device::new(&instance, &device),
            device,
            layout,
            _entry: entry,
        })
    }

    /// The compiler's statistics on entry point `main` of a SPIR-V module, by their names.
    pub fn compile(&self, spirv: &[u32]) -> Result<Vec<(String, u64)>, vk::Result> {
        let info = vk::ShaderModuleCreateInfo::default().code(spirv);
        // SAFETY: naga wrote the module from a validated source.
        let module = unsafe { self.device.create_shader_module(&info, None) }?;
        let stage = vk::PipelineShaderStageCreateInfo::default()
            .stage(vk::ShaderStageFlags::COMPUTE)
            .module(module)
            .name(c"main");
        let info = [vk::ComputePipelineCreateInfo::default()
            .stage(stage)
            .layout(self.layout)
            .flags(vk::PipelineCreateFlags::CAPTURE_STATISTICS_KHR)];
        // SAFETY: the layout has more bindings than any kernel; the module has a `main`.
        let made = unsafe {
            self.device
                .create_compute_pipelines(vk::PipelineCache::null(), &info, None)
        };
        let pipeline = made.map_err(|(_, error)| error)?[0];
        let info = vk::PipelineExecutableInfoKHR::default().pipeline(pipeline);
        // SAFETY: the pipeline was made to capture statistics, and has one executable.
        let found = unsafe { self.executables.get_pipeline_executable_statistics(&info) }?;
        Ok(found.iter().map(statistic).collect())
    }
}

/// Opens the device with the features with which wgpu would.
fn open_device(
    instance: &ash::Instance,
    physical: vk::PhysicalDevice,
) -> Result<ash::Device, vk::Result> {
    let queue = [vk::DeviceQueueCreateInfo::default()
        .queue_family_index(0)
        .queue_priorities(&[1.0])];
    let extensions = [
        ash::khr::pipeline_executable_properties::NAME.as_ptr(),
        ash::ext::robustness2::NAME.as_ptr(),
    ];
    let core = vk::PhysicalDeviceFeatures::default().robust_buffer_access(true);
    let mut robust =
        vk::PhysicalDeviceRobustness2FeaturesEXT::default().robust_buffer_access2(true);
    let mut memory = vk::PhysicalDeviceVulkanMemoryModelFeatures::default()
        .vulkan_memory_model(true)
        .vulkan_memory_model_device_scope(true);
    let mut executables = vk::PhysicalDevicePipelineExecutablePropertiesFeaturesKHR::default()
        .pipeline_executable_info(true);
    let info = vk::DeviceCreateInfo::default()
        .queue_create_infos(&queue)
        .enabled_extension_names(&extensions)
        .enabled_features(&core)
        .push_next(&mut robust)
        .push_next(&mut memory)
        .push_next(&mut executables);
    // SAFETY: `info` and what it points to outlive the call.
    unsafe { instance.create_device(physical, &info, None) }
}

/// Storage buffers in group 0.
fn layout(device: &ash::Device) -> Result<vk::PipelineLayout, vk::Result> {
    let bindings: Vec<_> = (0..BINDINGS)
        .map(|binding| {
            vk::DescriptorSetLayoutBinding::default()
                .binding(binding)
                .descriptor_type(vk::DescriptorType::STORAGE_BUFFER)
                .descriptor_count(1)
                .stage_flags(vk::ShaderStageFlags::COMPUTE)
        })
        .collect();
    let info = vk::DescriptorSetLayoutCreateInfo::default().bindings(&bindings);
    // SAFETY: `info` and what it points to outlive the call.
    let sets = [unsafe { device.create_descriptor_set_layout(&info, None) }?];
    let info = vk::PipelineLayoutCreateInfo::default().set_layouts(&sets);
    // SAFETY: the set layout is the device's own.
    unsafe { device.create_pipeline_layout(&info, None) }
}

fn text(bytes: &[std::ffi::c_char]) -> String {
    let bytes: Vec<u8> = bytes.iter().map(|&byte| byte as u8).collect();
    let text = CStr::from_bytes_until_nul(&bytes).unwrap_or_default();
    text.to_string_lossy().into_owned()
}

fn statistic(found: &vk::PipelineExecutableStatisticKHR<'_>) -> (String, u64) {
    // SAFETY: all members of the union are plain numbers; `format` tells which was written, and RADV
    // writes none but 64-bit integers.
    let value = unsafe { found.value.u64 };
    (text(&found.name), value)
}
