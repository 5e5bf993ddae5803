// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/protocol/jobdocument.h"
#include "model/protocol/peers.h"
#include "tests/helpers/testregistry.h"
#include "tests/unit/ruletexts.h"

#include <QDirIterator>
#include <QElapsedTimer>
#include <QRegularExpression>
#include <QSet>
#include <QTest>

using namespace trainyard;
using namespace trainyard::ruletexts;
using namespace Qt::StringLiterals;

namespace
{

enum Verdict { Refused, Accepted };

struct Row {
    const char *code;
    QByteArray job;
    const char *underlined; // the bytes meant
    Severity severity;
    Verdict verdict;
    int fixes; // at least so many
};

const Severity E = Severity::Error;
const Severity W = Severity::Warning;
const Severity N = Severity::Note;

const QList<Row> &rows()
{
    static const QByteArray secondRole
        = "  v:\n    dockerImage: img\n    resourcePerInstance: {cpu: 1, memoryMB: 1, gpu: 0}\n"
          "    commands: [b]\n    completion: {minSucceededInstances: -1}\n";
    static const QByteArray minusOne = "    completion: {minSucceededInstances: -1}\n";
    static const QByteArray plugins = "extras:\n  com.microsoft.pai.runtimeplugin:\n";
    static const QList<Row> table{
        // The text as a whole.
        {"yaml.empty", "", nullptr, E, Refused, 1},
        {"yaml.empty", "# mine\n", nullptr, E, Refused, 1},
        {"job.not-map", "- a\n- b\n", "- a", E, Refused, 0},
        {"job.old-json", "{\"jobName\": \"x\", \"taskRoles\": [], \"image\": \"y\"}", "\"jobName\"", E, Refused, 0},
        {"job.old-yaml", "protocol_version: 2\njobName: x\n", "protocol_version", E, Refused, 0},
        {"job.no-roles", "protocolVersion: 2\nname: t\ntype: job\ntaskRoles: {}\n", "taskRoles", E, Refused, 1},
        {"job.no-roles", "protocolVersion: 2\nname: t\ntype: job\ntaskRoles: []\n", "taskRoles", E, Refused, 1},
        {"job.type", head("protocolVersion: 2\nname: t\ntype: Job\n"), "Job", E, Refused, 1},
        {"job.version-unknown", head("protocolVersion: 1\nname: t\ntype: job\n"), "1", E, Refused, 1},
        {"job.version-spelling", head("protocolVersion: '2.0'\nname: t\ntype: job\n"), "'2.0'", W, Refused, 1},
        {"job.retry-negative", tail("jobRetryCount: -1\n"), "-1", W, Refused, 0},
        {"job.too-many-tasks", inRole("    instances: 100001\n"), "taskRoles", E, Accepted, 0},
        {"name.empty", head("protocolVersion: 2\nname: ''\ntype: job\n"), "''", E, Refused, 0},
        {"name.invalid", head("protocolVersion: 2\nname: a b.c\ntype: job\n"), "a b.c", E, Refused, 1},
        {"name.too-long", head("protocolVersion: 2\nname: " + QByteArray(256, 'n') + "\ntype: job\n"), nullptr, E,
            Refused, 1},
        // Values of the wrong kind.
        {"field.required", head("protocolVersion: 2\nname: t\n"), nullptr, E, Refused, 1},
        {"field.required", resources("{cpu: 1, memoryMB: 1}"), "resourcePerInstance", W, Refused, 1},
        {"field.required", resources("{cpu: 1, gpu: 1}"), "resourcePerInstance", E, Refused, 1},
        {"field.required", prerequisite("  - {name: i, uri: 'debian:12'}\n"), nullptr, E, Refused, 1},
        {"field.required", prerequisite("  - {name: i, uri: [/mnt/a]}\n"), nullptr, E, Refused, 1},
        {"field.required", prerequisite("  - {name: i, uri: /mnt/a}\n"), nullptr, E, Refused, 3},
        {"field.required", prerequisite("  - {name: i, uri: 'https://a.b/c'}\n"), nullptr, E, Refused, 3},
        {"field.required", prerequisite("  - {name: i, uri: a/b}\n"), nullptr, E, Refused, 4},
        {"field.unknown", tail("whatever: 1\n"), "whatever", W, Refused, 1},
        {"field.unknown-similar", tail("extra: {}\n"), "extra", W, Refused, 2},
        {"field.unknown-similar", head("protocolVersion: 2\nname: t\ntyp: job\n"), "typ", E, Refused, 2},
        {"field.unknown-similar", inRole("    instanses: 2\n"), "instanses", W, Refused, 2},
        {"field.ignored", tail("defaults: {other: 1}\n"), "other", N, Accepted, 1},
        {"field.ignored-similar", tail("defaults: {virtualcluster: a}\n"), "virtualcluster", N, Accepted, 1},
        {"field.ignored-similar", tail("extras: {trainyard: {holdAfterFailureMinute: 5}}\n"), "holdAfterFailureMinute",
            W, Accepted, 1},
        {"field.ignored-similar", tail("extras: {trainyard: {limits: {timeSecond: 5}}}\n"), "timeSecond", W, Accepted,
            1},
        {"field.ignored-similar", tail("extras: {trainyard: {limits: {timeSecs: 5}}}\n"), "timeSecs", W, Accepted, 1},
        {"field.ignored-similar", tail("extras: {trainyard: {workDir: a}}\n"), "workDir", W, Accepted, 1},
        {"field.renamed", inRole("    instance: 2\n"), "instance", W, Refused, 1},
        {"field.renamed", inRole("    completion: {minSucceededTaskCount: 1}\n"), "minSucceededTaskCount", W, Refused,
            1},
        {"field.renamed", tail("default: {virtualCluster: a}\n"), "default", W, Refused, 1},
        {"field.null", tail("parameters:\n"), "parameters", W, Refused, 1},
        {"field.null", tail("defaults: null\n"), "null", W, Refused, 1},
        {"field.empty", resources("{cpu: 1, memoryMB: 1, gpu: 0, ports: {}}"), "ports", W, Refused, 1},
        {"field.empty", tail("deployments: []\n"), "deployments", W, Refused, 1},
        {"field.empty", inRole("    data: ''\n"), "''", W, Refused, 1},
        {"field.empty", inRole("    output: \"\"\n"), "\"\"", W, Refused, 1},
        {"field.empty", tail("defaults: {deployment: ''}\n"), "''", W, Refused, 1},
        {"field.not-text", tail("description: [a]\n"), "description", E, Refused, 0},
        {"field.text-unquoted", tail("description: 5\n"), "5", W, Refused, 1},
        {"field.text-unquoted", commands("[!!binary YWJj]"), "!!binary YWJj", W, Refused, 1},
        {"field.text-unquoted", tail("description: !!binary YWJj\n"), "!!binary YWJj", W, Refused, 1},
        {"field.not-list", inRole("    prerequisites: {a: 1}\n"), "prerequisites", E, Refused, 0},
        {"field.text-not-list", commands("echo"), "echo", E, Refused, 1},
        {"field.not-map", tail("parameters: [a]\n"), "parameters", E, Refused, 0},
        {"field.not-map", tail("extras: text\n"), "text", E, Refused, 0},
        {"field.not-integer", inRole("    instances: many\n"), "many", E, Refused, 0},
        {"field.not-integer", inRole("    instances: true\n"), "true", E, Refused, 0},
        {"field.not-integer", resources("{cpu: 1, memoryMB: .nan, gpu: 0}"), ".nan", E, Refused, 0},
        {"field.too-large", resources("{cpu: .inf, memoryMB: 1, gpu: 0}"), ".inf", E, Accepted, 0},
        {"field.not-integer", inRole("    instances: {a: 1}\n"), "instances", E, Refused, 0},
        {"field.not-integer", resources("{cpu: 1, memoryMB: 8 GB, gpu: 0}"), "8 GB", E, Refused, 1},
        {"field.not-integer", resources("{cpu: 1, memoryMB: '8Gi', gpu: 0}"), "'8Gi'", E, Refused, 1},
        {"field.not-integer", resources("{cpu: 1, memoryMB: plenty, gpu: 0}"), "plenty", E, Refused, 0},
        {"field.not-integer", resources("{cpu: 2 G, memoryMB: 1, gpu: 0}"), "2 G", E, Refused, 0},
        {"field.not-integer", inRole("    extraContainerOptions: {shmMB: 1g}\n"), "1g", E, Refused, 1},
        {"field.not-boolean", inRole("    extraContainerOptions: {infiniband: x}\n"), "x", W, Accepted, 0},
        {"field.integer-as-text", inRole("    instances: '2'\n"), "'2'", W, Refused, 1},
        {"field.not-whole", resources("{cpu: 0.5, memoryMB: 1, gpu: 0}"), "0.5", W, Refused, 1},
        {"field.too-small", inRole("    instances: 0\n"), "0", E, Refused, 1},
        {"field.too-large", resources("{cpu: 1, memoryMB: 1e30, gpu: 0}"), "1e30", E, Accepted, 0},
        {"field.item-empty", commands("[a, null]"), "null", W, Refused, 1},
        {"field.item-not-text", commands("[a, {b: c}]"), "{b: c}", E, Refused, 0},
        {"field.item-not-text", commands("\n      - echo loss: 3"), "echo loss: 3", E, Refused, 1},
        // Prerequisites.
        {"prerequisite.type", prerequisite("  - {name: x, type: storage}\n"), "storage", E, Refused, 0},
        {"prerequisite.type", prerequisite("  - {name: x, type: docker}\n"), "docker", E, Refused, 1},
        {"prerequisite.type", prerequisite("  - {name: x, type: Image}\n"), "Image", E, Refused, 1},
        {"prerequisite.type", prerequisite("  - {name: x, type: dataset}\n"), "dataset", E, Refused, 1},
        {"prerequisite.duplicate", prerequisite("  - {name: img, type: dockerimage, uri: c}\n"), "img", E, Refused, 0},
        {"prerequisite.same-name", prerequisite("  - {name: img, type: data}\n"), "img", W, Accepted, 0},
        {"prerequisite.uri.not-list", prerequisite("  - {name: d, type: data, uri: u}\n"), "u", W, Refused, 1},
        {"prerequisite.uri.not-text", prerequisite("  - {name: d, type: script, uri: [u]}\n"), "uri", W, Refused, 1},
        {"prerequisite.image.extra-key", prerequisite("  - {name: i, type: dockerimage, uri: u, plugin: x}\n"),
            "plugin", W, Refused, 1},
        {"prerequisite.image.extra-key-similar", prerequisite("  - {name: i, type: dockerimage, uri: u, auht: {}}\n"),
            "auht", W, Refused, 2},
        {"prerequisite.image.bad-name", prerequisite("  - {name: i, type: dockerimage, uri: My Image}\n"), "My Image",
            W, Accepted, 0},
        {"prerequisite.auth-not-text",
            prerequisite("  - {name: i, type: dockerimage, uri: u, auth: {password: 123}}\n"), "123", W, Refused, 1},
        {"prerequisite.auth-not-text", prerequisite("  - {name: i, type: dockerimage, uri: u, auth: {email: 123}}\n"),
            "123", W, Refused, 1},
        {"prerequisite.auth-not-text", prerequisite("  - {name: i, type: dockerimage, uri: u, auth: {email: [a]}}\n"),
            "email", W, Refused, 0},
        {"prerequisite.no-plugin",
            prerequisite("  - {name: s, type: script, callbacks: [{event: taskStarts, commands: [a]}]}\n"), "s", W,
            Accepted, 1},
        {"prerequisite.plugin-prefix", prerequisite("  - {name: s, type: script, plugin: cmd, callbacks: []}\n"), "cmd",
            W, Accepted, 1},
        {"prerequisite.plugin-unsupported",
            prerequisite("  - {name: s, type: script, plugin: com.microsoft.pai.runtimeplugin.gti}\n"),
            "com.microsoft.pai.runtimeplugin.gti", W, Accepted, 0},
        {"prerequisite.event.alias", step("{event: containerStart, commands: [a]}"), "containerStart", W, Accepted, 1},
        {"prerequisite.event.unknown", step("{event: taskStart, commands: [a]}"), "taskStart", W, Accepted, 1},
        {"prerequisite.event.missing", step("{commands: [a]}"), nullptr, E, Accepted, 0},
        {"prerequisite.callback-without-commands", step("{event: taskStarts}"), nullptr, W, Accepted, 0},
        {"prerequisite.mixed-commands", step("{event: taskStarts, commands: [a]}", "    preCommands: [b]\n"),
            "preCommands", E, Accepted, 0},
        {"prerequisite.require-unknown", step("{event: taskStarts, commands: [a]}", "    require: [imgg]\n"), "imgg", E,
            Accepted, 1},
        {"prerequisite.require-cycle", step("{event: taskStarts, commands: [a]}", "    require: [s]\n"), "require", E,
            Accepted, 0},
        {"prerequisite.require-here-only", step("{event: taskStarts, commands: [a]}", "    require: [img]\n"),
            "require", W, Accepted, 1},
        {"prerequisite.marketplace", inRole("    prerequisites: ['marketplace://data/mnist']\n"),
            "'marketplace://data/mnist'", E, Refused, 0},
        {"prerequisite.unused", prerequisite("  - {name: d, type: data, uri: []}\n"), "d", N, Accepted, 0},
        {"prerequisite.export", step("{event: taskStarts, commands: ['export A=1']}"), "'export A=1'", N, Accepted, 0},
        {"prerequisite.image.not-portable", prerequisite("  - {name: i, type: dockerimage, uri: 'a/b:V1'}\n"),
            "'a/b:V1'", W, Accepted, 0},
        {"prerequisite.nothing-to-do",
            prerequisite("  - {name: s, type: script, plugin: com.microsoft.pai.runtimeplugin.cmd}\n"), "s", N,
            Accepted, 0},
        {"prerequisite.command-breaks", step("{event: taskStarts, commands: [\"echo 'a' \\\"b\\\"\"]}"), nullptr, N,
            Accepted, 0},
        {"prerequisite.command-damaged", step("{event: taskStarts, commands: ['a \\n b']}"), "'a \\n b'", N, Accepted,
            0},
        {"prerequisite.command-damaged", step("{event: taskStarts, commands: [\"a\\nb\"]}"), nullptr, N, Accepted, 0},
        // Task roles.
        {"role.prerequisite-idle", inRole("    prerequisites: [img]\n"), "img", N, Accepted, 1},
        {"role.commands-blank", commands("['', ' ']"), "commands", W, Accepted, 0},
        {"role.command-folded-comment", commands("\n      - >\n        echo a\n        # a comment\n        echo b\n"),
            "# a comment", W, Accepted, 0},
        {"role.shm-zero", inRole("    extraContainerOptions: {shmMB: 0}\n"), "0", N, Accepted, 1},
        {"role.infiniband", inRole("    extraContainerOptions: {infiniband: true}\n"), "true", N, Accepted, 0},
        {"role.variable-unknown", commands("['echo $PAI_HOST_IP_w_1']"), "$PAI_HOST_IP_w_1", W, Accepted, 1},
        {"role.variable-unknown", commands("['echo ${PAI_TASK_INDX}']"), "${PAI_TASK_INDX", W, Accepted, 1},
        {"role.variable-array", commands("['./a --seed $SLURM_ARRAY_TASK_ID']"), "$SLURM_ARRAY_TASK_ID", W, Accepted,
            0},
        {"role.name.invalid", role("a-b"), "a-b", E, Refused, 1},
        {"role.name.not-portable", role("Worker"), "Worker", N, Accepted, 1},
        {"role.name.collision", role("v_", minusOne) + secondRole, "v", W, Accepted, 0},
        {"role.image.none", inRole("").replace("    dockerImage: img\n", ""), "w", N, Refused, 1},
        {"role.image.none", inRole("").replace("    dockerImage: img\n", "") + "extras: {trainyard: {runIn: podman}}\n",
            "w", E, Refused, 1},
        {"role.image.undefined", inRole("    dockerImage: imgs\n").replace("    dockerImage: img\n", ""), "imgs", E,
            Refused, 2},
        {"role.reference-undefined", prerequisite("  - {name: mnist, type: data, uri: []}\n", "    data: mnits\n"),
            "mnits", E, Refused, 1},
        {"role.reference-other-type", inRole("    data: img\n"), "img", E, Refused, 0},
        {"role.reference-empty", inRole("    prerequisites: ['']\n"), "''", E, Refused, 0},
        {"role.prerequisite-undefined", inRole("    prerequisites: [imag]\n"), "imag", E, Refused, 2},
        {"role.prerequisite-repeated", inRole("    prerequisites: [img, img]\n"), "img", W, Accepted, 1},
        {"role.no-commands", commands("[]"), "commands", E, Refused, 0},
        {"role.no-commands", commands("\n      # - a\n"), "commands", E, Refused, 0},
        {"role.no-commands", commands("null"), "null", E, Refused, 0},
        {"role.command-continues", commands("['a \\', b]"), "'a \\'", W, Accepted, 0},
        {"role.limit.unreachable", inRole("    completion: {minFailedInstances: 2}\n"), "2", W, Accepted, 2},
        {"role.limit.negative", inRole("    completion: {minFailedInstances: -5}\n"), "-5", N, Accepted, 1},
        {"role.limit.implicit", text({}) + secondRole, "w", W, Accepted, 2},
        {"role.task-retry-ineffective", inRole("    taskRetryCount: 3\n"), "3", W, Accepted, 2},
        {"role.shm-above-memory", inRole("    extraContainerOptions: {shmMB: 128}\n"), "128", N, Accepted, 0},
        {"role.option.forbidden", inRole("    extraContainerOptions: {additionalProperties: 1}\n"),
            "additionalProperties", W, Refused, 1},
        {"role.port.label", resources("{cpu: 1, memoryMB: 1, gpu: 0, ports: {a-b: 1}}"), "a-b", E, Refused, 0},
        {"role.port.number", resources("{cpu: 1, memoryMB: 1, gpu: 0, ports: {ssh: 22}}"), "22", W, Accepted, 1},
        {"role.port.zero", resources("{cpu: 1, memoryMB: 1, gpu: 0, ports: {a: 0}}"), "0", W, Accepted, 0},
        {"role.port.too-many", resources("{cpu: 1, memoryMB: 1, gpu: 0, ports: {a: 70000}}"), "70000", E, Accepted, 0},
        // Deployments, extras.
        {"deployment.duplicate",
            tail("deployments: [{name: a, taskRoles: {w: {}}}, {name: a, taskRoles: {w: {}}}]\ndefaults: {deployment: "
                 "a}\n"),
            "a", E, Refused, 0},
        {"deployment.role-unknown", tail("deployments: [{name: a, taskRoles: {x: {}}}]\ndefaults: {deployment: a}\n"),
            "x", W, Accepted, 0},
        {"deployment.default-unknown",
            tail("deployments: [{name: a, taskRoles: {w: {}}}]\ndefaults: {deployment: b}\n"), "b", E, Refused, 1},
        {"deployment.none-chosen", tail("deployments: [{name: a, taskRoles: {w: {}}}]\n"), "deployments", W, Accepted,
            1},
        {"extras.gang-not-boolean", tail("extras: {gangAllocation: 'no'}\n"), "'no'", W, Accepted, 2},
        {"extras.hived-spelling", tail("extras: {hivedscheduler: {}}\n"), "hivedscheduler", W, Accepted, 1},
        {"extras.choice", tail("extras: {trainyard: {stop: {signal: KILL}}}\n"), "KILL", E, Accepted, 0},
        {"extras.metric-pattern", tail("extras: {trainyard: {metricPatterns: {q: '(x'}}}\n"), "'(x'", W, Accepted, 0},
        {"extras.metric-groups", tail("extras: {trainyard: {metricPatterns: {q: x}}}\n"), "x", W, Accepted, 0},
        {"extras.metric-groups", tail("extras: {trainyard: {metricPatterns: {q: '(?<step>x)'}}}\n"), "'(?<step>x)'", W,
            Accepted, 0},
        {"extras.variable-name", tail("extras: {trainyard: {variables: {A-B: 1}}}\n"), "1", E, Accepted, 0},
        {"extras.choice", tail("extras: {trainyard: {stop: {signal: SIGUSR3}}}\n"), "SIGUSR3", E, Accepted, 0},
        {"extras.results-outside", tail("extras: {trainyard: {results: [../model.pt]}}\n"), "../model.pt", E, Accepted,
            1},
        {"extras.results-outside", tail("extras: {trainyard: {results: {files: /out/x}}}\n"), "/out/x", E, Accepted, 1},
        {"extras.results-outside", tail("extras: {trainyard: {results: [..]}}\n"), "..", E, Accepted, 0},
        {"extras.results-empty", tail("extras: {trainyard: {results: ['']}}\n"), "''", E, Accepted, 1},
        {"extras.data-name", tail("extras: {trainyard: {data: {1st: {from: /d}}}}\n"), "1st", E, Accepted, 0},
        {"extras.data-same", tail("extras: {trainyard: {data: {a-b: {from: /d}, A_b: {from: /e}}}}\n"), "A_b", E,
            Accepted, 0},
        {"extras.data-nowhere", tail("extras: {trainyard: {data: {a: {roles: [w]}}}}\n"), "a", E, Accepted, 0},
        {"extras.data-path", tail("extras: {trainyard: {data: {a: {paths: {lab1: srv}}}}}\n"), "srv", E, Accepted, 0},
        {"extras.data-sum", tail("extras: {trainyard: {data: {a: {from: /d, sha256: abc}}}}\n"), "abc", E, Accepted, 0},
        {"extras.data-role", tail("extras: {trainyard: {data: {a: {from: /d, roles: [nobody]}}}}\n"), "nobody", E,
            Accepted, 0},
        {"field.ignored", tail("extras: {trainyard: {data: {a: {from: /d, size: 5}}}}\n"), "size", W, Accepted, 0},
        {"extras.choice", tail("extras: {trainyard: {stop: {only: all}}}\n"), "all", E, Accepted, 0},
        {"extras.choice", tail("extras: {trainyard: {after: {job: 4, when: succeded}}}\n"), "succeded", E, Accepted, 1},
        {"extras.hosts-role", tail("extras: {trainyard: {hosts: {ww: {names: [a]}}}}\n"), "ww", E, Accepted, 1},
        {"extras.hosts-names", tail("extras: {trainyard: {hosts: {w: lab1}}}\n"), "lab1", E, Accepted, 1},
        {"extras.hosts-names", tail("extras: {trainyard: {hosts: {w: [lab1, lab2]}}}\n"), "w", E, Accepted, 1},
        {"field.not-map", tail("extras: {trainyard: {hosts: {w: [{a: b}]}}}\n"), "w", E, Accepted, 0},
        {"extras.hosts-words", tail("extras: {trainyard: {hosts: {w: {labels: ['a b']}}}}\n"), "labels", E, Accepted,
            1},
        {"extras.choice", tail("extras: {trainyard: {hosts: {w: {arrange: same}}}}\n"), "same", E, Accepted, 1},
        {"field.empty", tail("extras: {trainyard: {hosts: {w: {names: [], labels: [a]}}}}\n"), "names", W, Accepted, 1},
        {"extras.hosts-too-few",
            inRole("    instances: 3\n"
                   "extras: {trainyard: {hosts: {w: {names: [a, b], arrange: different-hosts}}}}\n"),
            "w", W, Accepted, 0},
        {"extras.run-in", tail("extras: {trainyard: {runIn: dokcer}}\n"), "dokcer", E, Accepted, 1},
        {"plugin.unnamed", tail(plugins + "    - {parameters: {}}\n"), nullptr, E, Accepted, 0},
        {"plugin.unknown", tail(plugins + "    - {plugin: shh}\n"), "shh", W, Accepted, 1},
        {"plugin.failure-policy", tail(plugins + "    - {plugin: cmd, failurePolicy: maybe}\n"), "maybe", E, Accepted,
            2},
        {"plugin.role-unknown", tail(plugins + "    - {plugin: cmd, taskroles: [x]}\n"), "x", W, Accepted, 0},
        {"plugin.prefix",
            tail(plugins + "    - {plugin: com.microsoft.pai.runtimeplugin.git, parameters: {repo_uri: a}}\n"),
            "com.microsoft.pai.runtimeplugin.git", W, Accepted, 1},
        {"plugin.hook", tail(plugins + "    - {plugin: git, parameters: {repo_uri: a}, hook: preTaskStarts}\n"), "hook",
            N, Accepted, 0},
        {"plugin.nothing-to-do", tail(plugins + "    - {plugin: cmd, parameters: {}}\n"), "parameters", N, Accepted, 0},
        {"plugin.nothing-to-do", tail(plugins + "    - {plugin: ssh, parameters: {jobssh: false}}\n"), "parameters", N,
            Accepted, 0},
        {"plugin.parameter-missing", tail(plugins + "    - {plugin: git, parameters: {}}\n"), "parameters", W, Accepted,
            0},
        {"plugin.parameter-missing", tail(plugins + "    - {plugin: tensorboard, parameters: {port: 1, logdir: {}}}\n"),
            "logdir", W, Accepted, 0},
        {"plugin.ssh-user-type", tail(plugins + "    - {plugin: ssh, parameters: {userssh: {type: mine}}}\n"), "mine",
            W, Accepted, 2},
        {"plugin.ssh-without-gang",
            tail(plugins + "    - {plugin: ssh, parameters: {jobssh: true}}\n  gangAllocation: false\n"), "true", W,
            Accepted, 1},
        {"field.ignored-similar", tail(plugins + "    - {plugin: ssh, parameters: {jobssh: true, sshbarier: true}}\n"),
            "sshbarier", N, Accepted, 2},
        {"prerequisite.event.unknown",
            tail(plugins + "    - {plugin: cmd, parameters: {callbacks: [{event: taskStart, commands: [a]}]}}\n"),
            "taskStart", W, Accepted, 1},
        {"extras.key-similar", tail("extras: {gangAllocatoin: false}\n"), "gangAllocatoin", W, Accepted, 1},
        {"extras.storage-unnamed", tail("extras: {storages: [{mountPath: /a}]}\n"), nullptr, W, Accepted, 0},
        {"extras.storage-mount-path", tail("extras: {storages: [{name: s, mountPath: a}]}\n"), "a", W, Accepted, 1},
        {"extras.storage-same-mount",
            tail("extras: {storages: [{name: s, mountPath: /a}, {name: t, mountPath: /a}]}\n"), "/a", W, Accepted, 0},
        {"field.not-boolean", tail("extras: {jobStatusChangeNotification: {failed: 1}}\n"), "1", W, Accepted, 2},
        {"extras.hived-priority", tail("extras: {hivedScheduler: {jobPriorityClass: crit}}\n"), "crit", W, Accepted, 1},
        {"extras.hived-role", tail("extras: {hivedScheduler: {taskRoles: {x: {skuType: A}}}}\n"), "x", W, Accepted, 0},
        {"extras.hived-both", tail("extras: {hivedScheduler: {taskRoles: {w: {skuType: A, pinnedCellId: b}}}}\n"),
            "pinnedCellId", W, Accepted, 2},
        {"extras.hived-affinity",
            text({}) + secondRole
                + "extras: {hivedScheduler: {taskRoles: {w: {skuType: A, affinityGroupName: g}, v: {skuType: B, "
                  "affinityGroupName: g}}}}\n",
            "g", W, Accepted, 0},
        // Secrets and values.
        {"secrets.unused", tail("secrets: {a: b}\n"), "a", N, Accepted, 0},
        {"secrets.in-clear", commands("['A=<% $secrets.a %>']", "secrets: {a: hunter2}\n"), "hunter2", N, Accepted, 1},
        {"secrets.short", commands("['A=<% $secrets.a %>']", "secrets: {a: short}\n"), "short", W, Accepted, 0},
        {"secrets.in-command", commands("['A=<% $secrets.a %>; echo longvalue']", "secrets: {a: longvalue}\n"),
            "longvalue", W, Accepted, 0},
        {"secrets.in-command", commands("['A=<% $secrets.a %>', 'echo otherone']", "secrets: {a: otherone}\n"),
            "otherone", W, Accepted, 0},
        {"secrets.escaped", commands("['A=<% $secrets.a %>']", "secrets: {a: 'b&c'}\n"), "a", W, Accepted, 0},
        {"secrets.shell", commands("['login <% $secrets.a %>']", "secrets: {a: pa$word}\n"), "<% $secrets.a %>", W,
            Accepted, 0},
        {"secrets.shell",
            step("{event: taskStarts, commands: ['A=\"<% $secrets.a %>\"']}") + "secrets: {a: 'pa`word'}\n",
            "<% $secrets.a %>", W, Accepted, 0},
        {"secrets.shell-quote", commands("[\"login '<% $secrets.a %>'\"]", "secrets: {a: it's}\n"), "<% $secrets.a %>",
            W, Accepted, 0},
        {"secrets.shell-asked", commands("[\"login '<% $secrets.a %>'\"]", "secrets: {a: '******'}\n"),
            "<% $secrets.a %>", N, Accepted, 0},
        {"secrets.shell-unquoted", commands("['login <% $secrets.a %>']", "secrets: {a: '******'}\n"),
            "<% $secrets.a %>", N, Accepted, 0},
        {"secrets.in-argument", commands("['curl -u <% $secrets.a %>']", "secrets: {a: b}\n"), "<% $secrets.a %>", N,
            Accepted, 0},
        {"scalar.text", head("protocolVersion: 2\nname: on\ntype: job\n"), "on", W, Accepted, 1},
        {"scalar.text", tail("description: no\n"), "no", W, Accepted, 1},
        {"scalar.integer", inRole("    instances: 010\n"), "010", W, Accepted, 1},
        {"scalar.key", commands("[<% $parameters.on %>]", "parameters: {on: a}\n"), "on", W, Accepted, 0},
        {"scalar.key", role("on"), "on", W, Accepted, 0},
        {"secrets.masked", tail("secrets: '******'\n"), "'******'", N, Refused, 0},
        {"secrets.masked-named", commands("['a <% $secrets.a %>']", "secrets: '******'\n"), "'******'", N, Refused, 1},
        {"secrets.value-masked",
            prerequisite("  - {name: i, type: dockerimage, uri: a/b, auth: {username: u, password: '******'}}\n"),
            "'******'", N, Accepted, 0},
        {"prerequisite.auth-password",
            prerequisite("  - {name: i, type: dockerimage, uri: a/b, auth: {username: u, password: hunter2}}\n"),
            "hunter2", W, Accepted, 1},
        {"secrets.value-masked", tail("secrets: {a: '******'}\n"), "'******'", N, Accepted, 0},
        {"secrets.value-empty", tail("secrets: {a: ''}\n"), "''", N, Accepted, 0},
        {"secrets.value-empty", commands("['A=<% $secrets.a %>']", "secrets: {a: null}\n"), "null", N, Accepted, 0},
        {"secrets.not-map", tail("secrets: hunter2\n"), "secrets", E, Refused, 0},
        {"scalar.boolean", commands("[<% $parameters.p %>]", "parameters: {p: yes}\n"), "yes", W, Accepted, 1},
        {"scalar.octal", commands("[<% $parameters.p %>]", "parameters: {p: 012}\n"), "012", W, Accepted, 1},
        {"scalar.grouped", commands("[<% $parameters.p %>]", "parameters: {p: 1_000}\n"), "1_000", W, Accepted, 1},
        {"scalar.sexagesimal", commands("[<% $parameters.p %>]", "parameters:\n  p: 12:30\n"), "12:30", W, Accepted, 1},
        {"scalar.timestamp", commands("[<% $parameters.p %>]", "parameters: {p: 2020-01-01}\n"), "2020-01-01", W,
            Accepted, 1},
        {"scalar.exponent", commands("[<% $parameters.p %>]", "parameters: {p: 1e-3}\n"), "1e-3", N, Accepted, 1},
        {"scalar.whole-float", commands("[<% $parameters.p %>]", "parameters: {p: 1.0}\n"), "1.0", N, Accepted, 1},
        {"scalar.secret", tail("secrets: {p: 0123}\n"), "0123", W, Accepted, 1},
        {"parameter.unused", tail("parameters: {p: a}\n"), "p", N, Accepted, 1},
        {"parameter.unreachable-name", commands("[<% $parameters %>]", "parameters: {a.b: c}\n"), "a.b", W, Accepted,
            1},
        // Templates.
        {"template.map-as-text", commands("['<% $parameters.a %>']", "parameters: {a: {b: c}}\n"),
            "<% $parameters.a %>", W, Accepted, 0},
        {"template.list-as-text", commands("['<% $parameters.a %>']", "parameters: {a: [b, c]}\n"),
            "<% $parameters.a %>", N, Accepted, 0},
        {"template.not-rendered",
            prerequisite("  - {name: d, type: data, uri: ['x/<% $parameters.a %>']}\n", "    data: d\n"),
            "'x/<% $parameters.a %>'", W, Accepted, 0},
        {"template.not-text-in-step",
            step("{event: taskStarts, commands: ['<% $parameters.a %>']}") + "parameters: {a: 5}\n",
            "'<% $parameters.a %>'", W, Accepted, 1},
        {"template.dot-index",
            step("{event: taskStarts, commands: ['<% $parameters.a.0 %>']}") + "parameters: {a: [b]}\n",
            "'<% $parameters.a.0 %>'", N, Accepted, 1},
        {"template.unclosed-tag", commands("['echo <% $parameters.x']"), "<%", E, Refused, 0},
        {"template.closed-later", commands("['echo <% $parameters.x', 'echo <% $parameters.y %>']"), "<%", W, Accepted,
            0},
        {"template.unclosed-in-step", step("{event: taskStarts, commands: ['a <% b']}"), "<%", E, Accepted, 0},
        {"template.bad-section", commands("['<%# a %> x']"), nullptr, W, Refused, 0},
        {"template.not-a-name", commands("['x <%! a %>']"), "<%! a %>", W, Accepted, 0},
        {"template.unknown-parameter", commands("['<% $parameters.lrr %>']", "parameters: {lr: a} # $parameters.lr\n"),
            "<% $parameters.lrr %>", W, Accepted, 2},
        // A single text in place of the list of commands.
        {"template.unknown-parameter", commands("t --n <% $parameters.epoch %>", "parameters: {epochs: 1}\n"),
            "<% $parameters.epoch %>", W, Accepted, 2},
        {"template.unknown-scope", commands("t --n <% $parameter.lr %>", "parameters: {lr: 1}\n"),
            "<% $parameter.lr %>", W, Accepted, 1},
        {"template.unclosed-tag", commands("echo <% $parameters.x"), "<%", E, Refused, 0},
        {"template.unknown-secret", commands("['<% $secrets.x %>']"), "<% $secrets.x %>", W, Accepted, 1},
        {"template.unknown-path", commands("['<% $parameters.a[3] %>']", "parameters: {a: [b]}\n"),
            "<% $parameters.a[3] %>", W, Accepted, 0},
        {"template.no-value", commands("['<% $parameters.a %>']", "parameters: {a: null}\n"), "<% $parameters.a %>", W,
            Accepted, 0},
        {"template.no-value", commands("['<% $parameters.a.b[1] %>']", "parameters: {a: {b: [c, ~]}}\n"),
            "<% $parameters.a.b[1] %>", W, Accepted, 0},
        {"template.no-value", step("{event: taskStarts, commands: ['<% $parameters.a %>']}") + "parameters:\n  a:\n",
            "<% $parameters.a %>", E, Accepted, 0},
        {"template.unknown-scope", commands("['<% parameters.a %>']", "parameters: {a: b} # $parameters.a\n"),
            "<% parameters.a %>", W, Accepted, 1},
        {"template.nothing-selected",
            prerequisite("  - {name: d, type: data, uri: []}\n").replace("[a]", "['<% $data.uri[0] %>']"),
            "<% $data.uri[0] %>", W, Accepted, 1},
        {"template.unresolved-for-role", step("{event: taskStarts, commands: ['<% $data.uri[0] %>']}"),
            "<% $data.uri[0] %>", E, Accepted, 0},
        {"template.this-in-command", commands("['<% this.x %>']"), "<% this.x %>", W, Accepted, 0},
        {"template.this-here-only", step("{event: taskStarts, commands: ['<% this.x %>']}", "    x: y\n"),
            "<% this.x %>", N, Accepted, 0},
        {"template.this-here-only", step("{event: taskStarts, commands: ['<% this.parameters.x %>']}", "    x: y\n"),
            "<% this.parameters.x %>", N, Accepted, 0},
        {"template.in-parameter", commands("['<% $parameters.a %>']", "parameters: {a: '<% $parameters.a %>'}\n"),
            "<% $parameters.a %>", W, Accepted, 0},
        {"template.auth-scope",
            prerequisite("  - {name: i, type: dockerimage, uri: u, auth: {username: '<% $parameters.a %>'}}\n"),
            "<% $parameters.a %>", W, Accepted, 0},
    };
    return table;
}

} // namespace

class TstRules : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void baseIsClean();
    void rule_data();
    void rule();
    void everyCodeHasARow();
    void typesOfPrerequisites();
    void hostNeedsNoImage();
    void everythingAtOnce();
    void manyFindingsAreCut();
    void manyFindingsAreQuick();
    void emptyRequiredFields_data();
    void emptyRequiredFields();
    void tasksThatNeedEachOther_data();
    void tasksThatNeedEachOther();
};

void TstRules::baseIsClean()
{
    const ParseOutcome outcome = parseJob(text({}));
    QVERIFY(outcome.canRun());
    QVERIFY(parseJob(text({}), CheckMode::Strict).canRun());
    QVERIFY(outcome.diagnostics.isEmpty());
}

void TstRules::rule_data()
{
    QTest::addColumn<int>("row");
    for (qsizetype i = 0; i < rows().size(); ++i) {
        QTest::addRow("%s %d", rows().at(i).code, int(i)) << int(i);
    }
}

void TstRules::rule()
{
    QFETCH(int, row);
    const Row &expected = rows().at(row);
    const ParseOutcome outcome = parseJob(expected.job);
    const Diagnostic *found = nullptr;
    QStringList others;
    for (const Diagnostic &each : outcome.diagnostics) {
        others.append(each.code);
        const QByteArray underlined = expected.job.mid(each.at.begin, each.at.length());
        if (each.code == QLatin1String(expected.code)
            && (!found || (expected.underlined && underlined == expected.underlined))) {
            found = &each;
        }
    }
    QVERIFY2(found, qPrintable(u"found instead: "_s + others.join(u' ')));
    QCOMPARE(int(found->severity), int(expected.severity));
    QCOMPARE(found->strict, expected.verdict == Refused);
    if (expected.underlined) {
        QCOMPARE(expected.job.mid(found->at.begin, found->at.length()), QByteArray(expected.underlined));
    }
    QVERIFY(found->at.begin >= 0 && found->at.begin <= found->at.end && found->at.end <= expected.job.size());
    QVERIFY2(found->fixes.size() >= expected.fixes, qPrintable(QString::number(found->fixes.size())));
    // The strict verdict is made of the same findings.
    const ParseOutcome strict = parseJob(expected.job, CheckMode::Strict);
    const bool refused = std::any_of(
        outcome.diagnostics.cbegin(), outcome.diagnostics.cend(), [](const Diagnostic &each) { return each.strict; });
    QCOMPARE(strict.canRun(), strict.spec.has_value() && !refused);
    // A fix leaves a text that is read, and this finding is gone from its place.
    for (const Fix &fix : found->fixes) {
        const ParseOutcome after = parseJob(applied(expected.job, fix));
        QVERIFY2(after.document.isComplete(), qPrintable(fix.title));
        qsizetype before = 0;
        qsizetype now = 0;
        for (const Diagnostic &each : outcome.diagnostics) {
            before += each.code == found->code;
        }
        for (const Diagnostic &each : after.diagnostics) {
            now += each.code == found->code;
        }
        QVERIFY2(now < before, qPrintable(fix.title));
    }
}

// Every code that the sources of the reader and the rules can say is in the table above.
void TstRules::everyCodeHasARow()
{
    const QString sources = qEnvironmentVariable("TRAINYARD_SOURCE");
    QVERIFY2(!sources.isEmpty(), "TRAINYARD_SOURCE has to name the folder of the sources, as ctest does it.");
    QSet<QString> tested;
    for (const Row &row : rows()) {
        tested.insert(QString::fromLatin1(row.code));
    }
    const QStringList elsewhere{u"job.more-findings"_s, u"job.too-complex"_s, u"prerequisite.catalogue"_s,
        u"role.cpu.more-than-any-host"_s, u"role.gpu.more-than-any-host"_s, u"role.memory.more-than-any-host"_s,
        u"role.cpu.more-than-any-node"_s, u"role.gpu.more-than-any-node"_s, u"role.memory.more-than-any-node"_s,
        u"role.gpu.more-than-pool"_s, u"role.memory.more-than-pool"_s, u"extras.storage-unmapped"_s,
        u"extras.gpu-type-nowhere"_s, u"extras.host-unknown"_s, u"extras.host-no-labels"_s,
        u"extras.host-label-nowhere"_s, u"role.script-missing"_s, u"role.script-unsaved"_s}; // have tests of their own
    static const QRegularExpression code(
        u"\"((?:job|name|field|prerequisite|role|deployment|extras|plugin|secrets|scalar|parameter|template)\\.[a-z.-]+)\""_s);
    QSet<QString> said;
    QDirIterator files(sources + u"/model/protocol"_s, {u"*.cpp"_s});
    while (files.hasNext()) {
        QFile file(files.next());
        QVERIFY(file.open(QIODevice::ReadOnly));
        auto matches = code.globalMatch(QString::fromUtf8(file.readAll()));
        while (matches.hasNext()) {
            said.insert(matches.next().captured(1));
        }
    }
    QVERIFY(!said.isEmpty());
    QStringList missing;
    for (const QString &each : std::as_const(said)) {
        if (!tested.contains(each) && !elsewhere.contains(each) && each != u"template.unclosed"_s) {
            missing.append(each);
        }
    }
    missing.sort();
    qInfo("%d codes in the sources, %d rows", int(said.size()), int(rows().size()));
    QVERIFY2(missing.isEmpty(), qPrintable(missing.join(u' ')));
}

// What an item without a type can be is seen from its uri.
void TstRules::typesOfPrerequisites()
{
    const auto titles = [](const QByteArray &uri) {
        QStringList offered;
        for (const Diagnostic &each : parseJob(prerequisite("  - {name: i, uri: " + uri + "}\n")).diagnostics) {
            for (const Fix &fix : each.code == u"field.required"_s ? each.fixes : QList<Fix>()) {
                offered.append(fix.args.value(u"field"_s).toString());
            }
        }
        return offered.join(u", "_s);
    };
    QCOMPARE(titles("'nvcr.io/nvidia/pytorch:24.01-py3'"), u"type: dockerimage"_s);
    QCOMPARE(titles("[/mnt/a]"), u"type: data"_s);
    QCOMPARE(titles("/mnt/a"), u"type: data, type: script, type: output"_s);
    QCOMPARE(titles("'hdfs://a:1/b'"), u"type: data, type: script, type: output"_s);
}

// Whoever has chosen the shell of the host knows that it has no image; what a server says stays the same.
void TstRules::hostNeedsNoImage()
{
    const QByteArray job = inRole("").replace("    dockerImage: img\n", "") + "extras: {trainyard: {runIn: host}}\n";
    const auto has = [&job](CheckMode mode) {
        const ParseOutcome outcome = parseJob(job, mode);
        return std::any_of(outcome.diagnostics.cbegin(), outcome.diagnostics.cend(),
            [](const Diagnostic &each) { return each.code == "role.image.none"_L1; });
    };
    QVERIFY(!has(CheckMode::Friendly));
    QVERIFY(has(CheckMode::Strict));
}

void TstRules::everythingAtOnce()
{
    const QByteArray job = "protocolVersion: 3\nname: a b\ntype: x\ntaskRoles:\n  a-b:\n    instances: 0\n";
    QSet<QString> codes;
    for (const Diagnostic &each : parseJob(job).diagnostics) {
        codes.insert(each.code);
    }
    for (const QString &code : {u"job.version-unknown"_s, u"name.invalid"_s, u"job.type"_s, u"role.name.invalid"_s,
             u"field.too-small"_s, u"field.required"_s}) {
        QVERIFY2(codes.contains(code), qPrintable(code));
    }
}

void TstRules::manyFindingsAreCut()
{
    QByteArray job = text({});
    for (int i = 0; i < 3000; ++i) {
        job += "unknown" + QByteArray::number(i) + ": 1\n";
    }
    const ParseOutcome outcome = parseJob(job);
    QVERIFY(outcome.diagnostics.size() <= 501);
    const auto more = std::find_if(outcome.diagnostics.cbegin(), outcome.diagnostics.cend(),
        [](const Diagnostic &each) { return each.code == u"job.more-findings"_s; });
    QVERIFY(more != outcome.diagnostics.cend());
    QVERIFY(more->strict);
    QVERIFY(outcome.canRun());
    QVERIFY(!parseJob(job, CheckMode::Strict).canRun());
}

// Finding out how to mend something must cost nothing until somebody wants to mend it.
void TstRules::manyFindingsAreQuick()
{
    QByteArray job = "protocolVersion: 2\nname: big\ntype: job\ntaskRoles:\n";
    for (int i = 0; i < 1500; ++i) {
        job += "  role_" + QByteArray::number(i) + ":\n    instances: '2'\n    dockerImage: imgg\n"
            + "    completion: null\n    resourcePerInstance: {cpu: '1'}\n    commands:\n      - 5\n";
    }
    QElapsedTimer clock;
    clock.start();
    const ParseOutcome outcome = parseJob(job);
    const qint64 spent = clock.elapsed();
    qsizetype fixes = 0;
    for (const Diagnostic &each : outcome.diagnostics) {
        fixes += each.fixes.size();
    }
    qInfo("%d lines, %d findings with %d fixes: %d ms", int(job.count('\n')), int(outcome.diagnostics.size()),
        int(fixes), int(spent));
    QVERIFY(fixes > 300);
    QVERIFY(spent < 15000); // a tenth of it in a plain build; room for sanitizers and a busy machine
}

void TstRules::emptyRequiredFields_data()
{
    QTest::addColumn<QByteArray>("job");
    QTest::addColumn<int>("fixes");
    QTest::newRow("commands") << commands("null") << 0;
    QTest::newRow("resources") << resources("null") << 0;
    QTest::newRow("processors") << resources("{cpu: null, memoryMB: 1, gpu: 0}") << 0;
    QTest::newRow("memory") << resources("{cpu: 1, memoryMB: ~, gpu: 0}") << 0;
    QTest::newRow("an optional field") << inRole("    completion: null\n") << 1;
}

// Taking away a field that has to be there would make an error of a finding.
void TstRules::emptyRequiredFields()
{
    QFETCH(QByteArray, job);
    QFETCH(int, fixes);
    QList<qsizetype> ofNull;
    for (const Diagnostic &each : parseJob(job).diagnostics) {
        if (each.code == "field.null"_L1) {
            ofNull.append(each.fixes.size());
        }
    }
    QCOMPARE(ofNull, QList<qsizetype>{fixes});
}

void TstRules::tasksThatNeedEachOther_data()
{
    QTest::addColumn<QByteArray>("job");
    QTest::addColumn<bool>("needed");
    const auto plugin
        = [](const QByteArray &entry) { return tail("extras: {com.microsoft.pai.runtimeplugin: [" + entry + "]}\n"); };
    QTest::newRow("alone") << text({}) << false;
    QTest::newRow("ssh") << plugin("{plugin: ssh, parameters: {jobssh: true}}") << true;
    QTest::newRow("ssh for its user only")
        << plugin("{plugin: ssh, parameters: {jobssh: false, userssh: {type: system}}}") << false;
    QTest::newRow("infiniband") << inRole("    extraContainerOptions: {infiniband: true}\n") << true;
    QTest::newRow("address of a task") << commands("[echo $PAI_HOST_IP_w_0]") << true;
    QTest::newRow("own ports") << commands("[echo $PAI_CONTAINER_HOST_http_PORT_LIST]") << false;
    QTest::newRow("mpirun") << commands("[mpirun -np 2 a]") << true;
    QTest::newRow("torchrun") << commands("[torchrun a.py]") << true;
}

void TstRules::tasksThatNeedEachOther()
{
    QFETCH(QByteArray, job);
    QFETCH(bool, needed);
    const ParseOutcome outcome = parseJob(job);
    QVERIFY(outcome.spec);
    QCOMPARE(needsPeers(*outcome.spec), needed);
}

TRAINYARD_TEST(TstRules)
#include "tst_rules.moc"
