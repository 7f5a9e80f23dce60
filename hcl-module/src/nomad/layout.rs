//! The blocks of a job, as Nomad's documentation of the job specification lists them.
//!
//! It says how many labels generated blocks take, and which properties of JSON syntax are blocks. Blocks of types that
//! are not listed are read as native syntax writes them.
//!
//! Above each table stand the pages of the specification (developer.hashicorp.com/nomad/docs/job-specification) that are
//! about its rows. Not held against the pages of release 2.0 are the rows of `action`, `affinity`, `check`, `constraint`,
//! `csi_plugin`, `disconnect`, `dispatch_payload`, `ephemeral_disk`, `logs`, `migrate`, `multiregion`, `parameterized`,
//! `periodic`, `reschedule`, `restart`, `service`, `update`, `vault` and `volume_mount`. A row is
//! free where the page calls the argument a map (`map<string|string>`, `map`) and writes it as a block. The corpus of jobs
//! agrees for `config`, `env` and `meta`, the only ones it asks about.

use hcl_eval::evaluated::{Inside, Layout};

/// A block whose arguments and blocks are those of the specification.
const fn block(block_type: &'static str, n_labels: usize, inside: &'static [Layout]) -> Layout {
    Layout { block_type, n_labels, inside: Inside::Blocks(inside) }
}

/// A block whose names are free.
const fn free(block_type: &'static str) -> Layout {
    Layout { block_type, n_labels: 0, inside: Inside::Anything }
}

/// True if the names in blocks of a type are free wherever such a block stands, and dynamic blocks mean nothing.
pub(super) fn is_free(block_type: &str) -> bool {
    matches!(block_type, "config" | "env" | "meta")
}

/// The top level of a file. Declarations are read before the layout matters.
pub(super) const FILE: &[Layout] = &[block("job", 1, JOB)];

/// Pages `job`, `multiregion`, `secret` (places it in jobs and groups too), `ui`.
const JOB: &[Layout] = &[
    block("affinity", 0, &[]),
    block("constraint", 0, &[]),
    block("group", 1, GROUP),
    free("meta"),
    block("migrate", 0, &[]),
    block("multiregion", 0, MULTIREGION),
    block("parameterized", 0, &[]),
    block("periodic", 0, &[]),
    block("reschedule", 0, &[]),
    block("secret", 1, SECRET),
    block("spread", 0, SPREAD),
    block("task", 1, TASK),
    block("ui", 0, &[block("link", 0, &[])]),
    block("update", 0, &[]),
    block("vault", 0, &[]),
];

/// Page `multiregion`: its example writes `meta` in `region`.
const MULTIREGION: &[Layout] = &[block("region", 1, &[free("meta")]), block("strategy", 0, &[])];

/// Page `spread`: `target` has one label.
const SPREAD: &[Layout] = &[block("target", 1, &[])];

/// Pages `group`, `volume`, `scaling`, `secret`.
const GROUP: &[Layout] = &[
    block("affinity", 0, &[]),
    block("constraint", 0, &[]),
    block("consul", 0, &[]),
    block("disconnect", 0, &[]),
    block("ephemeral_disk", 0, &[]),
    free("meta"),
    block("migrate", 0, &[]),
    block("network", 0, NETWORK),
    block("reschedule", 0, &[]),
    block("restart", 0, &[]),
    block("scaling", 0, SCALING),
    block("secret", 1, SECRET),
    block("service", 0, SERVICE),
    block("spread", 0, SPREAD),
    block("task", 1, TASK),
    block("update", 0, &[]),
    block("vault", 0, &[]),
    block("volume", 1, &[block("mount_options", 0, &[])]),
];

/// Page `network`: `cni` has one argument, the map `args`.
const NETWORK: &[Layout] = &[block("cni", 0, &[free("args")]), block("dns", 0, &[]), block("port", 1, &[])];

/// Page `scaling`: `policy` is opaque to Nomad. In tasks the block has a label, in groups it has none.
const SCALING: &[Layout] = &[free("policy")];

/// Pages `task`, `action`, `artifact` (`headers`, `options` are maps), `csi_plugin`, `dispatch_payload`, `identity`,
/// `lifecycle`, `scaling`, `schedule`, `secret`.
const TASK: &[Layout] = &[
    block("action", 1, &[]),
    block("affinity", 0, &[]),
    block("artifact", 0, &[free("headers"), free("options")]),
    free("config"),
    block("constraint", 0, &[]),
    block("consul", 0, &[]),
    block("csi_plugin", 0, &[]),
    block("dispatch_payload", 0, &[]),
    free("env"),
    block("identity", 0, &[]),
    block("lifecycle", 0, &[]),
    block("logs", 0, &[]),
    free("meta"),
    block("resources", 0, RESOURCES),
    block("restart", 0, &[]),
    block("scaling", 1, SCALING),
    block("schedule", 0, &[block("cron", 0, &[])]),
    block("secret", 1, SECRET),
    block("service", 0, SERVICE),
    block("template", 0, TEMPLATE),
    block("vault", 0, &[]),
    block("volume_mount", 0, &[]),
];

/// Page `secret`.
const SECRET: &[Layout] = &[free("config"), free("env")];

/// Pages `resources`, `device`, `numa`; `network` stood here until release 0.12 and is still read.
const RESOURCES: &[Layout] = &[
    block("device", 1, &[block("affinity", 0, &[]), block("constraint", 0, &[])]),
    block("network", 0, NETWORK),
    block("numa", 0, &[]),
];

/// Pages `template`, `change_script`.
const TEMPLATE: &[Layout] = &[block("change_script", 0, &[]), block("wait", 0, &[])];

/// Pages `service`, `check`, `check_restart`, `identity`: `header` is a map of lists.
const SERVICE: &[Layout] = &[
    free("canary_meta"),
    block("check", 0, &[block("check_restart", 0, &[]), free("header")]),
    block("check_restart", 0, &[]),
    block("connect", 0, CONNECT),
    block("identity", 0, &[]),
    free("meta"),
    free("tagged_addresses"),
    block("weights", 0, &[]),
];

/// Pages `connect`, `gateway`, `sidecar_service`, `sidecar_task`.
const CONNECT: &[Layout] = &[
    block("gateway", 0, GATEWAY),
    block("sidecar_service", 0, &[free("meta"), block("proxy", 0, PROXY)]),
    block(
        "sidecar_task",
        0,
        &[
            free("config"),
            free("env"),
            block("identity", 0, &[]),
            block("lifecycle", 0, &[]),
            block("logs", 0, &[]),
            free("meta"),
            block("resources", 0, RESOURCES),
            block("volume_mount", 0, &[]),
        ],
    ),
];

/// Pages `proxy`, `expose`, `transparent_proxy`, `upstreams`.
const PROXY: &[Layout] = &[
    free("config"),
    block("expose", 0, &[block("path", 0, &[])]),
    block("transparent_proxy", 0, &[]),
    block("upstreams", 0, &[free("config"), block("mesh_gateway", 0, &[])]),
];

/// Page `gateway`, and so the tables below.
const GATEWAY: &[Layout] = &[
    block(
        "ingress",
        0,
        &[block("listener", 0, &[block("service", 0, INGRESS_SERVICE)]), block("tls", 0, TLS)],
    ),
    block("mesh", 0, &[]),
    block("proxy", 0, &[free("config"), block("envoy_gateway_bind_addresses", 1, &[])]),
    block("terminating", 0, &[block("service", 0, &[])]),
];

const INGRESS_SERVICE: &[Layout] =
    &[block("request_headers", 0, HEADERS), block("response_headers", 0, HEADERS), block("tls", 0, TLS)];

const HEADERS: &[Layout] = &[free("add"), free("set")];

const TLS: &[Layout] = &[block("sds", 0, &[])];
