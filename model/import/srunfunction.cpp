// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/import/srunfunction.h"

#include "model/import/batchoptions.h"

namespace trainyard::batch
{
namespace
{

constexpr qsizetype widestLine = 100;

constexpr char functionHead[] = "srun() { # stands in for it: each task runs the command, or the first -n of them\n"
                                "  local tasks='' nodes='' node='' exports='' folder='' each\n"
                                "  local -a words=() vars=()\n"
                                "  while [[ ${1-} == -?* ]]; do\n"
                                "    case $1 in\n"
                                "      --) shift && break ;;\n"
                                "      -n | --ntasks) tasks=${2-} ;;\n"
                                "      --ntasks=*) tasks=${1#*=} ;;\n"
                                "      -n*) tasks=${1#-n} ;;\n"
                                "      -N | --nodes) nodes=${2-} ;;\n"
                                "      --nodes=*) nodes=${1#*=} ;;\n"
                                "      -N*) nodes=${1#-N} ;;\n"
                                "      -w | --nodelist) node=${2-} ;;\n"
                                "      --nodelist=*) node=${1#*=} ;;\n"
                                "      -w*) node=${1#-w} ;;\n"
                                "      -D | --chdir) folder=${2-} ;;\n"
                                "      --chdir=*) folder=${1#*=} ;;\n"
                                "      -D*) folder=${1#-D} ;;\n"
                                "      --export) exports=${2-} ;;\n"
                                "      --export=*) exports=${1#*=} ;;\n";
constexpr char functionTail[]
    = "  if [[ ! ${srun_in_all-} && $tasks =~ ^[0-9]+$ ]] && ((PAI_TASK_INDEX >= 10#$tasks)); then\n"
      "    return 0\n"
      "  fi\n"
      "  if [[ ${1-} == hostname ]]; then # of one node: all tasks get the same answer\n"
      "    if [[ ! $node && ${srun_in_all-} && ${SLURM_JOB_NODELIST-} && $tasks =~ ^0*1$ ]]; then "
      "node=${SLURM_JOB_NODELIST%%,*}; fi\n"
      "    if [[ $node && ,${SLURM_JOB_NODELIST-}, == *,\"$node\",* ]]; then\n"
      "      printf '%s\\n' \"$node\"\n"
      "      return\n"
      "    fi\n"
      "  fi\n"
      "  if [[ ! ${srun_in_all-} && $tasks =~ ^[0-9]+$ ]]; then\n"
      "    for each in NTASKS NPROCS STEP_NUM_TASKS NNODES STEP_NUM_NODES; do vars+=(\"SLURM_$each=$((10#$tasks))\"); "
      "done\n"
      "  fi\n"
      "  IFS=, read -ra words <<<\"$exports\"\n"
      "  for each in \"${words[@]}\"; do\n"
      "    if [[ $each == *=* ]]; then vars+=(\"$each\"); fi\n"
      "  done\n"
      "  if [[ $folder ]]; then vars=(-C \"$folder\" \"${vars[@]}\"); fi\n"
      "  if ((${#vars[@]})); then env \"${vars[@]}\" \"$@\"; else \"$@\"; fi\n"
      "}";

} // namespace

QByteArray srunFunction(qint64 tasksPerNode)
{
    QByteArray text = functionHead;
    text += "      -[" + srunLettersWithoutValue() + "]?*) set -- \"${1:0:2}\" \"-${1:2}\" \"${@:2}\" ;;\n"
        + "    esac\n    case $1 in # with a value\n";
    QByteArray letters, line = "      -[";
    QByteArrayList longOptions;
    for (const QByteArray &option : srunOptionsWithValue()) {
        if (option.startsWith("--")) {
            longOptions.append(option);
        } else {
            letters += option.at(1);
        }
    }
    line += letters + ']';
    for (const QByteArray &option : std::as_const(longOptions)) {
        if (line.size() + option.size() > widestLine) {
            text += line + " \\\n";
            line = "       ";
        }
        line += " | " + option;
    }
    text += line + ")\n        if (($# > 1)); then shift; fi\n        ;;\n    esac\n    shift\n  done\n";
    if (tasksPerNode > 0) {
        text += "  if [[ ! $tasks && $nodes =~ ^[0-9]+ ]]; then tasks=$((10#${BASH_REMATCH[0]} * "
            + QByteArray::number(tasksPerNode) + ")); fi\n";
    }
    return text + functionTail;
}

} // namespace trainyard::batch
