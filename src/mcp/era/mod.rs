//! Protocol eras: how a connection is opened and what a request looks like. One file an era.

mod legacy;
