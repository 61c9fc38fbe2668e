//! Who finds the facts of positions: what `--backend` and `--device` come to for `analyse`.

use super::CommandError;
use super::args::BackendChoice;
#[cfg(feature = "gpu")]
use super::gpus;
use super::session::Session;
use crate::backend::BackendKind;
use crate::pipeline::FactCrew;

/// Opens what was asked for.
///
/// Left to choose, the processor: it finds the facts of a position in a fifth of a microsecond, much
/// less than it takes to read and write its text, which no device can help with.
pub(super) fn crew(session: &Session) -> Result<FactCrew, CommandError> {
    let processor = FactCrew::processor(BackendKind::fastest());
    match session.backend().choice {
        BackendChoice::Cpu => Ok(processor),
        #[cfg(feature = "gpu")]
        BackendChoice::Kind(BackendKind::Gpu) => with_devices(session, processor),
        BackendChoice::Kind(kind) => match kind.unavailable_because() {
            Some(reason) => {
                let text = format!("{kind} cannot run here: {reason}");
                Err(CommandError::Device(text))
            }
            None => Ok(FactCrew::processor(kind)),
        },
        #[cfg(feature = "gpu")]
        BackendChoice::Auto if !session.backend().devices.is_empty() => {
            with_devices(session, processor)
        }
        BackendChoice::Auto => Ok(processor),
        #[cfg(feature = "gpu")]
        BackendChoice::All => {
            let mut crew = processor.beside();
            gpus::find_facts_too(session, &mut crew)?;
            Ok(crew)
        }
        #[cfg(not(feature = "gpu"))]
        BackendChoice::All => Ok(processor),
    }
}

#[cfg(feature = "gpu")]
fn with_devices(session: &Session, mut crew: FactCrew) -> Result<FactCrew, CommandError> {
    gpus::find_facts(session, &mut crew)?;
    Ok(crew)
}
