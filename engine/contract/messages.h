// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/contract/container.h"
#include "engine/contract/taskfiles.h"
#include "engine/contract/taskfolder.h"
#include "engine/contract/wire.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

// Every frame of the agent wire as a plain struct. JSON stays in messages.cpp.
//
// A request carries an id chosen by the client (from 1); its answer carries the same. Messages that the agent sends
// unasked have 0. A request that cannot be carried out is answered by Failure. Folders of tries are absolute paths on
// the agent's host. Large because it is one list: a frame can be any of them (Message).
namespace trainyard::contract
{

struct Variable {
    std::string name, value;
    friend bool operator==(const Variable &, const Variable &) = default;
};

// ---- from the client ----

struct HelloRequest { // answered by HelloReply, after the login shell gave its environment (loginMs at most)
    int contract = taskFolderContract;
    std::string build; // of the client, for the log
    bool loginEnvironment = true; // false: the login shell is not run before something asks for it, as a Launch does
    std::int64_t loginMs = 5000; // how long the login shell may take
};

struct InventoryRequest {
}; // answered by Inventory

struct Limits {
    std::int64_t memoryBytes = 0; // enforced by a cgroup where one can be made; 0: none
    std::int64_t cpuWeight = 0; // its share of the processors among others, 100 a core, where a cgroup can; 0: none
    std::int64_t outputBytes = 0; // of output.log; 0: 20 GiB or a tenth of the free space, what is less
    std::map<std::string, std::int64_t>
        rlimits; // as, core, cpu, data, fsize, memlock, nofile, nproc, stack; -1: unlimited
    friend bool operator==(const Limits &, const Limits &) = default;
};

// The contents of plan.json: no secret, no environment values.
struct Plan {
    std::string job, role, tryUuid;
    int attempt = 0, index = 0, tryNumber = 0;
    std::vector<std::string> argv; // for people; filled by the agent when empty
    std::string cwd;
    std::vector<std::string> envNames; // filled by the agent from Launch::env when empty: without what is shared
    Limits limits;
    std::vector<int> gpus;
    std::vector<int> ports;
    std::vector<std::string> metricFiles; // patterns of files in which the task keeps metrics, beside those found
    std::int64_t stopGraceMs = 30000; // for a stop that names none
    Container container;
    friend bool operator==(const Plan &, const Plan &) = default;
};

// The common part of several launches, sent once: a launch that names `key` gets these variables before its own, or
// this script. Several messages with one key are pieces of one text, in their order. There is no answer; it is dropped
// with the connection.
struct Share {
    std::string key;
    bool drop = false; // no launch names it any longer, nor any key that begins with it and a slash
    // In the payload:
    std::string script;
    std::vector<Variable> env;
};

// Starts one try; safe to repeat. Answered by Launched as soon as the task runs, or was found running or ended.
// The texts are in the payload; encode() returns nothing when they do not fit into 1 MiB together.
struct Launch {
    std::string dir; // the try's folder, made with its parents
    Plan plan;
    bool cleanEnvironment = false; // a small fixed base instead of what the login shell gives
    std::vector<std::string>
        keepNames; // of the base environment that are dropped otherwise (*_TOKEN, *_SECRET, *_PASSWORD, DISPLAY)
    std::string cwd; // empty: <dir>/work, which is made
    std::string shell = "bash"; // looked up in the task's PATH
    bool sealed = false; // the script holds a secret: it runs from a sealed memfd and never touches a disk
    bool hasSteps = false; // the script marks what its steps print, if it gets a word for that (agent/stepoutput.h)
    std::vector<int> checkPorts; // bind-tested right before
    std::vector<std::string> gpuLocks; // one lock each, seen by all users of the host
    std::int64_t gpuShareMiB = 0; // 0: the locks are exclusive; else so much of each GPU, beside others that share it
    std::vector<std::int64_t> gpuMemoryMiB; // what each of gpuLocks has in all, when shared
    std::string sharedEnv; // key of a Share whose variables come before `env`, which may replace them; empty: none
    std::string sharedScript; // of one that has the script; empty: `script` is it
    std::string gpuLockFolder; // empty: /run/lock/trainyard-gpu, else /tmp/trainyard-gpu
    std::vector<std::string>
        dataTrees; // paths of the trees of data that it uses: their copies stay for as long as it runs
    // In the payload:
    std::string script; // the program, run by `shell`
    std::string maskedScript; // what task.sh shows when sealed; unused otherwise
    std::vector<Variable> env; // put over the base environment; TRAINYARD_TRY is set by the keeper
    RegistryLogin registry; // for the image of plan.container; no password: none
    std::vector<std::string> maskValues; // hidden in the output (values of 6 bytes and more; each line of longer texts)
};

struct Stop { // answered by Observed at once; Exited comes when it has ended
    std::string dir;
    int signal = 15;
    std::int64_t graceMs = -1; // -1: as planned
    bool onlyMain = false;
    bool leavesMetrics = false; // as of Observe
    // It was seen to run, so its launch is on its way no more. If its folder is gone, the folder stays so.
    bool hasBegun = false;
};

struct Pause { // SIGSTOP or SIGCONT to every process of a running try; safe to repeat; answered by Done
    std::string dir;
    bool on = true;
};

// Answered by Observed; while it runs the agent watches it and says Exited. Failure "observe.unreadable", also of Stop,
// Pause and Launch: the folder cannot be looked into, so that nothing is known of the try. Failure "observe.away", also
// of Stop and Pause, and of Launch after OwnFolder: what this engine has on the host cannot be seen, perhaps because it
// is not mounted.
struct Observe {
    std::string dir;
    // As of Launch, for an agent that has not launched it: hidden in what the files of its metrics say.
    std::vector<std::string> maskValues = {};
    // The caller does not know what is to be hidden: the files of its metrics are left until a caller does.
    bool leavesMetrics = false;
};

struct Follow { // answered by chunks with its id, until everything is sent and the try has ended
    std::string dir;
    std::uint64_t output = 0, index = 0, runtime = 0, tail = 0; // where to go on, per file
    bool cancel = false; // ends the follow with this id
    std::uint64_t figures = 0; // where to go on in this file, of which the copy has
    std::uint64_t figuresGeneration = 0; // this one (docs/series-format.md); 0: none, or its head is damaged
    std::uint64_t environment = 0; // the same
    std::uint64_t metrics = 0, metricBook = 0; // and in these
    bool isShared = false; // another computer writes them, which the kernel does not report, so they are polled
    std::uint64_t metricsGeneration = 0; // as of the figures
};

// Lets the follow with id `follow` send so many bytes more (it begins with followCredit). Also of a stream of bytes
// (Dial), in both directions.
struct Credit {
    std::int64_t follow = 0;
    std::int64_t bytes = 0;
};

// Opens a TCP connection to a program on the agent's host: at 127.0.0.1, ::1, or wherever it listens on this port.
// Answered by Dialed; from then on each side sends Flow with the id of the request, as far as the other one has given
// credit. A Flow that breaks it before the answer is answered by Done.
struct Dial {
    int port = 0;
    std::int64_t credit = 0; // for the agent
    std::string address = {}; // in numbers: of a node of a cluster that the host reaches; empty: the host itself
};

// Bytes of a connection, streamPiece of them at most. Both sides send it. When each has said `end`, the connection is
// closed and forgotten.
struct Flow {
    bool end = false; // no more bytes come from this side; the other direction stays open
    bool broken = false; // it is closed in both directions, because of an error
    std::string bytes; // in the payload
};

struct Ports { // answered by PortsReply
    std::vector<int> check; // are these free?
    int draw = 0; // find so many others
    int first = 15000, last = 0; // range to draw from; last 0: right below the kernel's ephemeral range
    std::vector<int> exclude;
};

// For a moment, connections from other hosts are answered with `word` and closed; answered by Awaiting.
struct Await {
    std::string word; // which nothing else on the network says
    int first = 0, last = 0; // range of the port, as of Ports
    std::int64_t ms = 10000; // how long
};

// Answered by Reached: whether connections to these addresses (of other hosts, which await them) can be opened from
// here.
struct Reach {
    std::vector<std::string> addresses;
    std::vector<int> ports; // of each
    std::vector<std::string> words; // the answer of each
    std::int64_t ms = 3000; // how long each may take
};
constexpr std::size_t mostReached = 256; // addresses of a request

struct SampleRequest { // Sample once now and then each interval; 0 ends it
    std::int64_t intervalMs = 1000;
};

struct Put { // a piece of a file in the payload; answered by Done when `last`, or each if `isAnswered`
    std::string path; // absolute; written beside and renamed when complete
    std::uint64_t offset = 0;
    int mode = 0600;
    bool last = true;
    bool isAnswered = false;
};

// Makes the folder `dir` of a tree of files (contract/codetree.h), with contents that were put before; answered by
// CodeReply. A folder that is there stays as it is, whatever tree it was made of.
struct Code {
    std::string tree; // its name; empty: only whether the folder is there
    std::string dir; // below <state>/remote; empty: only whether all contents of the tree are there
    std::string engine = {}; // noted as a user of the tree (agent/copyusers.h); empty: none is
};

// Answered by Seen, which says what is at these places, as far as that is known at once. A folder in which the user
// cannot make files does not count as seen, because no task could work there.
struct Look {
    std::vector<std::string> paths;
};

// Answered by FileList: the files below a folder that match a glob (taskfiles.h), by their paths. Links are not
// followed, and what is not a file is left out.
struct ListFiles {
    std::string dir;
    std::vector<std::string> globs;
    std::string after; // continue after this path, when the list had no room for all
    std::int64_t ms = 0; // how long it may take; 0: longer than any disk does that answers at all
    bool everything = false; // all files, hidden ones too, whatever the globs; and links are reported
    bool madeOnly = false; // of a copied work folder, without what is there as it was sent
};

// Answered by Piece: so many bytes of a file below `dir`, from `offset` on.
struct ReadPiece {
    std::string dir, path;
    std::uint64_t offset = 0;
    std::int64_t bytes = 0; // mostPieceBytes at most
    std::int64_t ms = 0; // as of ListFiles
    bool sumOnly = false; // the sum (bytesum.h) of the whole file instead
};
constexpr std::int64_t mostPieceBytes = 512 * 1024;

// A file that comes to this host by pieces; each step is answered by Stored. It grows beside its place, under a name
// that says of which version it is, so that it can continue after an interruption; an incomplete file never has its
// name.
struct StorePiece {
    std::string step; // begin: how much of this version is there; add; place: gives it its name; drop; link
    std::string dir, path; // the folder is made
    std::uint64_t size = 0; // of the whole file
    std::int64_t changedNs = 0;
    std::uint64_t offset = 0; // add: where the bytes belong, no further than what is there
    std::uint64_t sum = 0; // place: of the whole file (bytesum.h); another one is refused with EBADMSG
    std::string target; // of a link
    std::string bytes; // in the payload
    // The SHA-256 that the whole file must have, in place of `sum`: one that differs is refused and dropped, however
    // its part came to be. The file then is its creator's alone, and has the time of its arrival.
    std::string content = {};
    std::string writer = {}; // with `content`: whose part it is, so that two that send the same do not share one
};

// Data of jobs on this host (contract/datatree.h); answered by DataReply. With `tree` the copy that all jobs share, of
// contents that were stored before: it stays until `drop` or the end of the connection. With `path`, data that is there
// already. With `cache` it is about the copies that the nodes of a cluster share: that `job` uses the tree is noted
// there, and the note stays until it is removed (contract/datause.h), whichever client is connected meanwhile. A `path`
// is then one that nodes have to see as they see the cache; "apart": it is not known that they do.
struct Data {
    std::string tree; // its name
    bool drop = false; // the client no longer needs it
    std::int64_t limitBytes = 0; // of all copies; those that were not used for the longest time go for a new one
    std::string path; // absolute
    std::string sum; // that it must have (dataSum()); empty: any
    std::string cache; // absolute, the folder above dataFolder(); empty: the state folder
    std::string job; // its UUID
    std::string engine; // without `cache`: noted as a user of the tree (agent/copyusers.h); empty: none is
};

struct Remove { // what a job that was forgotten left below <state>/remote; answered by Done, deleted in the background
    std::string dir;
};

// The folder of all that this engine has on the host, right below <state>/remote. It is made, unless it was made before
// (`isMade`). Answered by Done. From then on nothing is made below it, or elsewhere in its state folder, while it
// cannot be seen: its file system is perhaps not mounted. The answer is then Failure "observe.away", also to this
// request.
struct OwnFolder {
    std::string dir;
    bool isMade = false;
};

// Answered by Belongings, which says what Trainyard has put on this host, when everything has been counted. Nothing
// that is in use or belongs to another engine is removed.
struct LookThrough {
    std::string engine; // the name of its folder below <state>/remote
    // First removes copied contents that no other engine has used, helpers that no process runs, and what is half
    // removed.
    bool tidies = false;
    bool leaves = false; // and this helper and the empty folders, when nothing of any engine is left
    std::int64_t ms = 0; // as of ListFiles; what was removed by then is gone, and it can be asked again
};

// Answered by EnvironmentsFound, which lists what tasks could activate on this host. What cannot be found within some
// seconds is missing.
struct FindEnvironments {
};

// Runs a command of Slurm (contract/slurmcommand.h) with the login environment and without input, and no other program;
// answered by ProgramSaid.
struct RunProgram {
    std::string program; // its name
    std::vector<std::string> arguments;
    std::int64_t ms = 60'000; // how long it may take
};

// Answered by ChangedFiles: those of the small files below `dir` that differ from what is known, because other
// computers write some of them.
struct ReadChanged {
    std::string dir;
    std::vector<FileEntry> known; // in the payload: path, and the size and the time of the version that is known
};
constexpr std::size_t mostChangedFiles = 2000; // of a request

// Makes a copy of this helper for other computers with the same files; answered by Done, also when it is there already.
// Failure "folder.swappable" {part}: another user could replace the folder.
struct CopyHelper {
    std::string path; // absolute
    bool trustsOwners = false; // of folders above it: that is not looked at
};

// Removes what a job left below the folder of runs of a cluster (runsMark says that it is one); answered by Done,
// deleted in the background.
struct RemoveRun {
    std::string root; // <root>/runs/<job>
    std::string job;
    // Only what tasks would have been started with (contract/leadplan.h): the name of an allocation, or "*" for all of
    // the job, which then has ended and needs its data no more; empty: everything.
    std::string launches;
};
constexpr const char *runsMark = ".trainyard-runs"; // a file in the root

struct Bye {
}; // the agent leaves; keepers stay

// ---- from the agent ----

struct HelloReply {
    int contract = taskFolderContract;
    std::string version, build; // build: id of the binary
    std::int64_t pid = 0;
    std::string bootId, host, user, home;
    std::string machineId;
    std::string stateFolder; // $XDG_STATE_HOME/trainyard/<machine-id>
    std::string shell;
    std::int64_t diskFreeBytes = 0; // of stateFolder's file system
    bool stateOnNetwork = false; // it is NFS, CIFS, FUSE or Lustre
    std::string environmentFrom; // login, agent (the shell failed or was not asked)
    std::string environmentError; // env.login-timeout, env.login-failed, or empty
    int ephemeralFirst = 0, ephemeralLast = 0;
    int uid = 0, gid = 0;
    std::vector<int> groups; // further ones of the user
    std::vector<Variable> environment; // in the payload: the base environment
};

// The printable ASCII of a text: foreign text goes into messages only in this form.
inline std::string plainText(std::string text)
{
    for (char &c : text) {
        c = c < 0x20 || c > 0x7e ? '?' : c;
    }
    return text;
}

struct Gpu {
    int index = 0;
    std::string uuid, name;
    std::int64_t memoryMiB = 0, memoryUsedMiB = 0;
    int utilPercent = -1, temperature = -1; // -1: not known
    double powerWatt = -1;
    bool foreign = false; // a process that is not a task of this engine holds memory on it
    std::string vendor = {}; // amd, or empty
    bool undivided = false; // MIG is on and it has no instance: nothing can run on it
    std::vector<std::string> holders
        = {}; // "4711 python (jun)": processes with memory on it, as far as they can be seen
    bool missing = false; // its driver has listed it before, and no longer does
    std::string lockedBy = {}; // holder of its lock: plainText() of a try's folder, "?" when not known; empty: none
    std::int64_t lockedMiB = 0; // what tasks that share it were promised, of all engines
    friend bool operator==(const Gpu &, const Gpu &) = default;
};

// An address at which other hosts may reach this one. Addresses that only this host has (loopback, links, bridges of
// containers) are left out.
struct HostAddress {
    std::string interface; // "eth0"
    std::string address; // IPv4 or IPv6
    int prefix = 0; // bits that all addresses of its network share
    friend bool operator==(const HostAddress &, const HostAddress &) = default;
};

struct Inventory {
    int cpus = 0;
    std::int64_t memoryMiB = 0, memoryUsedMiB = 0;
    std::string kernel, os, cpuModel;
    std::vector<Gpu> gpus;
    std::string gpuError; // gpu.none, gpu.failed, gpu.slow (no answer yet), or empty
    std::vector<std::string> runtimes; // container programs that are there
    std::vector<HostAddress> addresses = {}; // of interfaces that are up; of very many the first ones
    bool hasSlurm = false; // the commands of a Slurm cluster are there
    std::vector<std::string> silentRuntimes = {}; // of `runtimes`, those whose daemon does not answer
};

struct Launched {
    std::string dir, tryUuid;
    std::string state; // launched, reattached (it ran already), ended (it has ended already, or could not start)
    std::optional<StartedRecord> started;
    std::optional<ExitRecord> exit; // when ended
};

struct Observed {
    std::string dir, tryUuid;
    std::string state; // absent, running, ended
    std::optional<StartedRecord> started;
    std::optional<StopRecord> stop; // a stop was requested
    std::optional<ExitRecord> exit;
    std::uint64_t outputBytes = 0;
};

struct Exited {
    std::string dir, tryUuid;
    ExitRecord exit;
    std::optional<StopRecord> stop;
};

struct Dialed {
    std::int64_t credit = 0; // for the client
};

struct Chunk { // id is the follow's
    std::string file; // output.log, output.idx, runtime.log, output.tail, figures.series, environment.json,
                      // metrics.series, metrics.files
    std::uint64_t offset = 0;
    bool end = false; // the last one: all files are complete (payload may be empty)
    std::string bytes; // in the payload
    // The file was rewritten. It is collected beside the copy, from its beginning, and becomes the copy when it has so
    // many bytes. 0: the copy goes on.
    std::uint64_t replaces = 0;
};

struct PortsReply {
    std::vector<int> busy; // of those checked
    std::vector<int> drawn; // may be fewer than asked
};

struct Awaiting {
    int port = 0;
};

struct Reached { // for each address, in its order
    // reached, refused, silent, unreachable (there is no route to it), another (something else answers there), invalid
    // (it is not an address)
    std::vector<std::string> states;
};

struct CodeReply {
    std::string state; // ready, unknown (the tree is to be put first), missing (contents are), failed
    std::vector<int> missing; // entries of the tree whose contents are to be put; of many the first ones
    std::string about; // a path, when failed
    int systemError = 0;
};

struct DataReply {
    // ready, unknown (the tree is to be put first), missing (contents are), busy (ask again), dropped, full (more than
    // the limit), no-room (the disk is full), absent, unreadable, other (it has another sum), failed
    std::string state;
    std::string place; // when ready
    std::vector<int> missing; // entries of the tree whose contents are to be stored; of many the first ones
    std::int64_t bytes = 0; // full, no-room: of the contents that are missing
    std::string sum; // other: the one that it has
    std::string about; // a path, when failed or unreadable
    int systemError = 0;
};

struct Seen { // for each path, in its order
    std::vector<std::int64_t> inodes; // 0: nothing is there
    std::vector<std::int64_t> changedNs; // time of the last change of the contents, UTC
};

struct FileList {
    std::vector<FileEntry> files; // in the payload, by path
    bool isCut = false; // there are more: ask again, after the last one
    bool isWhole = true; // false: there are too many folders and files to look at all of them
    std::int64_t links = 0, others = 0; // that match and are left out: links; pipes, sockets and devices
    std::int64_t oddNames = 0; // the same, for their names
    std::int64_t sent = 0; // the same, with `madeOnly`: as they were sent
    int systemError = 0; // the folder cannot be read
    // One in it that cannot, though something there could match, and why; the first one that was met.
    std::string unreadable;
    int unreadableError = 0;
    // With `everything`: links that stay below the folder, mostTellableLinks at most, with their ways from where they
    // are.
    std::vector<std::string> linkPaths, linkTargets;
};
constexpr std::size_t mostTellableLinks = 100;

struct Piece { // of the file as it was when it was read
    std::uint64_t size = 0;
    std::int64_t changedNs = 0;
    std::string bytes; // in the payload; fewer than asked for at its end
    int systemError = 0; // it cannot be read; ELOOP: it has become a link, EINVAL: it is not a file
    std::uint64_t sum = 0; // if that was asked for
};

struct Stored {
    std::uint64_t bytes = 0; // begin: that are there
    int systemError = 0;
};

struct Belongings {
    std::vector<std::string> jobs; // folders of jobs of the engine that asks; of very many the first ones
    std::vector<std::int64_t> jobBytes; // of each; sizes are what the file system has given for them
    std::string programFolder; // of this helper
    std::int64_t otherJobs = 0, otherBytes = 0; // folders of jobs of other engines
    std::int64_t codeBytes = 0; // contents of work folders that were copied
    std::int64_t dataBytes = 0; // copies of data
    std::int64_t programs = 0, programBytes = 0; // helpers of all versions
    std::int64_t processes = 0, processKiB = 0; // that run one of them; memory that several share counts once
    bool isWhole = true; // false: the time was over before all files were seen
    std::int64_t sharedCodeBytes = 0, sharedDataBytes = 0; // of the copies those that other engines have used
    std::string clusterFolder; // of the runs, data and helpers of Slurm clusters, of all engines; empty: there is none
    std::int64_t clusterBytes = 0;
};

struct ProgramSaid {
    std::string state; // done, missing (it is not installed), late (it was ended), long (it said too much)
    int status = 0; // as a shell reports it, when done
    std::string out, errors; // in the payload
};

struct ChangedFiles {
    std::vector<FileEntry> files; // in the payload, with what they have; of a log its end
    std::vector<std::string> contents; // in the payload, of each
    bool isCut = false; // there are more: ask again
    bool isUnread = false; // one that may be there could not be read
    int systemError = 0; // the folder cannot be read; ENOENT: it is not there
};

struct FoundEnvironment {
    std::string kind; // conda, venv, pyenv
    std::string name, path;
    std::string base; // of conda: the installation whose bin/activate knows it; empty: none is known
    std::string version; // of its Python; empty: not known
    friend bool operator==(const FoundEnvironment &, const FoundEnvironment &) = default;
};

struct EnvironmentsFound {
    std::vector<FoundEnvironment> environments;
    std::vector<std::string> modules; // names for `module load`
    bool isWhole = true; // false: there are more
};

struct TrySample {
    std::string dir;
    std::uint64_t outputBytes = 0;
    bool diskFull = false; // the task waits for room on the disk
    std::string pulling = {}; // before it runs: the image that is fetched, and how far that is
    friend bool operator==(const TrySample &, const TrySample &) = default;
};

struct Sample {
    std::int64_t at = 0; // ms UTC
    double cpuPercent = -1; // of all cores together, 0 to 100
    std::int64_t memoryMiB = 0, memoryUsedMiB = 0;
    std::int64_t diskFreeBytes = -1, diskBytes = -1; // of the file system with the state folder; -1: not known
    std::vector<Gpu> gpus;
    std::string gpuError = {}; // as of Inventory
    std::vector<TrySample> tries; // running ones whose output grew since the last sample
    std::vector<std::string> silentRuntimes = {}; // as of Inventory
};

struct Done {
}; // a request without a result was done

struct Failure { // on the wire: type "error"
    std::string code; // dotted
    std::string argument;
    int systemError = 0; // errno
};

// Requests, then answers and events.
using Message = std::variant<HelloRequest, InventoryRequest, Share, Launch, Stop, Pause, Observe, Follow, Credit, Dial,
    Flow, Ports, Await, Reach, SampleRequest, Put, Code, Data, Look, ListFiles, ReadPiece, StorePiece, Remove,
    OwnFolder, LookThrough, FindEnvironments, RunProgram, ReadChanged, CopyHelper, RemoveRun, Bye, HelloReply,
    Inventory, Launched, Observed, Exited, Dialed, Chunk, PortsReply, Awaiting, Reached, CodeReply, DataReply, Seen,
    FileList, Piece, Stored, Belongings, EnvironmentsFound, ProgramSaid, ChangedFiles, Sample, Done, Failure>;

struct Envelope {
    std::int64_t id = 0;
    Message message;
    std::string payload = {}; // only Put's bytes; other messages carry theirs in the struct
};

// Returns nothing if it does not fit into a frame.
std::optional<std::string> encode(const Envelope &envelope);
// The same of a chunk whose bytes are elsewhere, and are written behind it: chunk.bytes is empty.
std::optional<std::string> encodeChunkHead(std::int64_t id, const Chunk &chunk, std::size_t bytes);
// Returns nothing if it is not a message; `error` then has a code and what is wrong. `fromAgent` says which side sent
// it: some types have one shape as request and another as answer.
std::optional<Envelope> decode(Frame frame, bool fromAgent, std::string *error = nullptr);

// plan.json as written to the folder of a try.
std::string planJson(const Plan &plan);
std::optional<Plan> parsePlan(std::string_view json);

} // namespace trainyard::contract
