//! Answers to the server's own requests: ping, roots, sampling, elicitation.
