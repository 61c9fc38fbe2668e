//! What can go wrong in a backend.

/// A backend could not count. No count of the call that failed may be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BackendError {
    /// This machine cannot run the backend.
    #[error("backend {backend} cannot run here: {reason}")]
    Unavailable {
        /// The backend's name.
        backend: &'static str,
        /// What is missing.
        reason: &'static str,
    },
}
