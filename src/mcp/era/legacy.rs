//! The `initialize` era: 2024-11-05 to 2025-11-25.
