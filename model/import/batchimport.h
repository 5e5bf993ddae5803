// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/protocol/jobimport.h"

#include <QString>

namespace trainyard
{

// Batch scripts of Slurm (docs/exporting.md, "Importing a batch script").

// Whether a text is one: it has a line "#SBATCH" above its first command, and is not a job; or the name of its file,
// where it is given, ends as those of shell scripts do.
bool isBatchScript(const QByteArray &bytes, const QString &fileName = {});
// Whether a text that was not declared to be a script is one: because of "#!", of a line that runs a container, or of a
// first command such as a launcher or Python. A text that can become a separate job by being run in its folder counts
// as well.
bool isShellScript(const QByteArray &bytes);

// Codes of the report, beside those of the sentences' table (docs/findings.md, "Batch scripts"):
//
// batch.encoding, batch.too-large, batch.empty, batch.not-shell {program}   errors: no job is made
// batch.own-export {job}            error: Trainyard has exported it, without the text of its job
// batch.other-shell {program}       bash runs what is for another shell
// batch.other-system {mark}         options of another system for batches
// batch.no-interpreter              it has options of sbatch and does not begin with "#!"; taken for bash
// batch.name {from, name}           the job was renamed
// batch.unknown {option}            no option of Slurm that is known; left out
// batch.bad-value {option, value}   could not be understood; left out
// batch.late                        options below the first command, which Slurm does not read
// batch.ignored {options}           have no meaning here
// batch.output {option}             output is kept by itself
// batch.dependency {value}          other jobs are waited for in another way
// batch.gpu-type {type}             is the skuType of the task role
// batch.exclusive {role, cpus}      all the cores of a node are asked for; an estimate is used
// batch.no-memory {memory}          a usual amount is used
// batch.all-memory {role, memory}   all the memory of a node is asked for; an estimate is used
// batch.one-node {nodes}            nothing is started by srun, so one task runs
// batch.different-hosts, batch.one-host, batch.few-hosts {role, instances, nodes}   how its tasks are distributed
// batch.each-task {instances}       what stands around srun runs in each task
// batch.srun-kept {instances}       srun stands inside of something; a function stands in for it
// batch.srun-variables {names}      set for each task of srun, whether or not the script names them
// batch.srun-behind {program}       a call of srun that finds no function
// batch.fewer-tasks {tasks, instances}  the step runs in the first tasks, for which the others do not wait
// batch.all-tasks {tasks, instances}    the step runs in each task, although the script says fewer
// batch.no-barrier                  a step that does not wait for the other tasks
// batch.no-wait                     a step that begins with those in the background that the script has waited for
// batch.step-takes-more             a step with fewer tasks asks for more in each than the tasks get
// batch.components {components}     error: what runs in which component of a heterogeneous job cannot be told
// batch.component-unused {component}, batch.ranks
// batch.multi-prog                  error: each task runs another program
// batch.after-steps                 lines behind steps in the background are left out
// batch.mpi {value}                 nothing connects the tasks of an MPI program
// batch.variable {name}             nothing sets it
// batch.variable-slurm {name}       only Slurm sets it, where the job runs there
// batch.variable-set {name, role, value}     it is set from the job
// batch.variable-either {name, role, value}  the same, where Slurm does not set it
// batch.steps-in-one {tasks, cpus}  each call of srun starts one task, so one task has what all of them have
// batch.tasks-in-one {tasks, cpus}  nothing is started by srun, so one task has what all of them have
// batch.array {tasks}, batch.array-limit {most}, batch.array-parallel
// batch.array-succeeds              the job fails only if all elements fail
// batch.array-time {seconds, all}   the limit of each element is one of all together
// batch.environment {names}         variables that come from the shell that calls sbatch
// batch.arguments {names}           a job has none
// batch.slurm-command {command}     Slurm does not run the job
// batch.mpirun-each {instances}     mpirun runs in each task
// batch.processes {option, processes}, batch.processes-more {option, processes, gpus}, batch.processes-all {option}
//                                   a launcher starts a process for each GPU, and the task asks for fewer or none
// batch.image {image}, batch.image-file {image}, batch.container-mounts {mounts}, batch.container-workdir {folder}
// batch.docker {image, program}     the tasks run in the image of the script's only "docker run" or "podman run"
// batch.docker-kept {program}, batch.docker-unknown {program, option}   the call stays a command
// batch.docker-around {program}     other commands of the script run in the container, too
// batch.docker-all-gpus {option}, batch.docker-gpus {option, gpus}, batch.docker-ipc {option}
// batch.docker-memory {program, memory}, batch.docker-work {mount, folder}, batch.docker-variable {names}
// batch.docker-option {program, option}   left out
// batch.signal {signal, seconds}    is what tasks get when they are stopped
// batch.secret {name}               what is assigned to it looks like a secret; the value is never told
// batch.secret-text {begin}         a token stands in a line otherwise
// batch.template                    "<%" is a reference here
//
// `name` is what the job is called when the script does not say it.
JobImport importBatchScript(const QByteArray &bytes, const QString &name = {});

} // namespace trainyard
