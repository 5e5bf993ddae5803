// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/helpers/fakekubernetes.h"

#include <QDir>
#include <QFile>
#include <QJsonDocument>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace
{

// Keeps what it is handed in folders, and says of it what the test has put there.
const char fakeKubectl[] = R"sh(#!/bin/bash
cd "$(dirname "$0")/.." || exit 9
case " $* " in
*" config get-contexts "*)
    cat contexts 2>/dev/null || { echo 'error: no configuration has been provided' >&2; exit 1; }
    exit 0
    ;;
*" config view "*)
    cat current 2>/dev/null || { echo 'error: current-context must exist in order to minify' >&2; exit 1; }
    exit 0
    ;;
*" version --client "*)
    echo '{"clientVersion": {"gitVersion": "v1.31.2"}}'
    exit 0
    ;;
esac
[[ $1 != --kubeconfig=* ]] || shift
context=$(head -n 1 current 2>/dev/null)
[[ $1 != --context=* ]] || { context=${1#*=}; shift; }
[ "$context" = lab ] || { echo 'error: context "other" does not exist' >&2; exit 1; }
[[ $1 != --namespace=* ]] || { namespace=${1#*=}; shift; }
if [ -e silent ]; then
    echo 'The connection to the server lab:6443 was refused - did you specify the right host or port?' >&2
    exit 1
fi
case "$1 $2" in
"get jobset"* | "delete jobset"*)
    [ ! -e no-jobset ] || { echo "error: the server doesn't have a resource type \"jobsets\"" >&2; exit 1; }
    ;;
esac
case "$1 $2" in
"get --raw") echo '{"gitVersion": "v1.30.4"}' ;;
"get jobsets.jobset.x-k8s.io") ;;
"auth can-i")
    [ ! -e "no-$4" ] || { echo no; exit 1; }
    echo yes
    ;;
"get serviceaccounts")
    [ "${namespace:-ml}" = ml ] || { echo 'Error from server (NotFound): serviceaccounts "default" not found' >&2; exit 1; }
    echo serviceaccount/default
    ;;
"get localqueues.kueue.x-k8s.io")
    [ "$3" = research ] || { echo "Error from server (NotFound): localqueues.kueue.x-k8s.io \"$3\" not found" >&2; exit 1; }
    echo "localqueue.kueue.x-k8s.io/$3"
    ;;
"get nodes")
    [ ! -e hide-nodes ] || { echo 'Error from server (Forbidden): nodes is forbidden: User "ada" cannot list' >&2; exit 1; }
    echo '{"items": [{"status": {"conditions": [{"type": "Ready", "status": "True"}], "allocatable": {"nvidia.com/gpu": "8"}}}]}'
    ;;
"apply -f")
    text=$(cat)
    if [ -e repeats ]; then
        printf 'Error from server (BadRequest): error when creating "STDIN": %s\n' "$(<repeats)" >&2
        exit 1
    fi
    if [ -e not-found ]; then
        echo 'Error from server (NotFound): the server could not find the requested resource' >&2
        exit 1
    fi
    if [ -e forbidden ]; then
        echo 'Error from server (Forbidden): jobsets.jobset.x-k8s.io is forbidden: User "ada" cannot create' >&2
        exit 1
    fi
    name=$(sed -n '/^kind: JobSet/,$s/^  name: //p' <<<"$text" | head -n 1)
    mkdir -p beside
    : >"beside/$name"
    if [ -e no-jobset ]; then
        echo "error: resource mapping not found for name: \"$name\": no matches for kind \"JobSet\"" >&2
        exit 1
    fi
    # Whole, or not there: whoever sees the folder reads the manifest.
    mkdir -p "new/$name"
    printf '%s\n' "$text" >"new/$name/manifest"
    if [ -e late ]; then
        echo 'Unable to connect to the server: net/http: request canceled (Client.Timeout exceeded)' >&2
        exit 1
    fi
    [ -d "sets/$name" ] || echo "$name" >>created
    if [ -d "sets/$name" ]; then mv "new/$name/manifest" "sets/$name/manifest"; else mkdir -p sets; mv "new/$name" sets/; fi
    if [ -e lose-answer ]; then
        rm lose-answer
        echo 'Unable to connect to the server: unexpected EOF' >&2
        exit 1
    fi
    ;;
"get jobsets.jobset.x-k8s.io,pods")
    printf '{"kind": "List", "items": [{"kind": "ConfigMap"}'
    for folder in sets/*/; do
        [ -d "$folder" ] || continue
        cat "$folder/items" 2>/dev/null && continue
        printf ', {"kind": "JobSet", "metadata": {"name": "%s"}}' "$(basename "$folder")"
    done
    printf ']}\n'
    ;;
"get jobset.jobset.x-k8s.io/"*)
    [ -d "sets/${2##*/}" ] && echo "$2"
    exit 0
    ;;
"logs "*)
    [ -e "logs/$2" ] || { echo 'Error from server (NotFound): pods not found' >&2; exit 1; }
    since= lines=
    for each in "$@"; do
        case $each in
        --since-time=*) since=${each#*=} ;;
        --tail=*) lines=${each#*=} ;;
        esac
    done
    # By the times of the lines, wherever they are, as a node does it.
    awk -v since="${since%Z}" -v lines="$lines" -v ends="$(tail -c 1 "logs/$2" | wc -l)" '{ line[NR] = $0 }
        END { for (i = lines == "" || lines >= NR ? 1 : NR - lines + 1; i <= NR; ++i)
            if (substr(line[i], 1, 19) >= since) printf "%s", line[i] (i < NR || ends == 1 ? "\n" : "") }' "logs/$2"
    ;;
"delete jobset"*)
    name=${2##*/}
    [ ! -d "sets/$name" ] || { echo "$name" >>deleted; echo "jobset.jobset.x-k8s.io \"$name\" deleted"; }
    rm -rf "sets/$name" "beside/$name"
    ;;
"delete configmap/"*)
    [ "$3" = "secret/$(basename "$2" -script)-secrets" ] || exit 1
    rm -f "beside/$(basename "$2" -script)"
    ;;
"delete pods") ;;
"get pods") cat pods 2>/dev/null || echo 'No resources found in ml namespace.' >&2 ;;
*)
    echo "error: unknown command $*" >&2
    exit 1
    ;;
esac
)sh";

} // namespace

FakeKubernetes::FakeKubernetes() : m_path(qgetenv("PATH"))
{
    const QString program = path(u"bin/kubectl"_s);
    m_isThere = QDir(m_folder.path()).mkpath(u"bin"_s) && QDir(m_folder.path()).mkpath(u"logs"_s)
        && write(u"bin/kubectl"_s, fakeKubectl)
        && QFile::setPermissions(program, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    qputenv("PATH", QFile::encodeName(path(u"bin"_s)) + ':' + m_path);
}

FakeKubernetes::~FakeKubernetes() { qputenv("PATH", m_path); }

// Whole, or not there: the script may read it at any moment.
bool FakeKubernetes::write(const QString &name, const QByteArray &bytes) const
{
    QFile file(path(name) + u".new"_s);
    const bool isWritten = file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() && file.flush();
    file.close();
    QFile::remove(path(name));
    return isWritten && file.rename(path(name));
}

QByteArray FakeKubernetes::contents(const QString &name) const
{
    QFile file(path(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QByteArrayList FakeKubernetes::linesOf(const QString &name) const
{
    QByteArrayList lines = contents(name).split('\n');
    lines.removeAll(QByteArray());
    return lines;
}

bool FakeKubernetes::arrive() const
{
    const QStringList late = QDir(path(u"new"_s)).entryList(QDir::Dirs | QDir::NoDotAndDotDot);
    return QDir().mkpath(path(u"sets"_s)) && !late.isEmpty()
        && std::all_of(late.cbegin(), late.cend(),
            [this](const QString &set) { return QDir().rename(path(u"new/"_s + set), path(u"sets/"_s + set)); });
}

QStringList FakeKubernetes::sets() const { return QDir(path(u"sets"_s)).entryList(QDir::Dirs | QDir::NoDotAndDotDot); }

QStringList FakeKubernetes::besides() const { return QDir(path(u"beside"_s)).entryList(QDir::Files); }

bool FakeKubernetes::show(const QString &set, const QJsonObject &status) const
{
    const QByteArray text = manifest(set);
    const qsizetype jobs = text.indexOf("replicatedJobs:");
    const qsizetype at = text.indexOf("name: ", jobs) + 6;
    const QString part = QString::fromUtf8(text.mid(at, text.indexOf('\n', at) - at));
    const QJsonObject labels{{u"jobset.sigs.k8s.io/jobset-name"_s, set},
        {u"jobset.sigs.k8s.io/replicatedjob-name"_s, part}, {u"jobset.sigs.k8s.io/job-index"_s, u"0"_s}};
    const QJsonObject pod{{u"kind"_s, u"Pod"_s},
        {u"metadata"_s,
            QJsonObject{{u"name"_s, QString(set + u"-pod"_s)}, {u"uid"_s, u"u1"_s}, {u"labels"_s, labels},
                {u"creationTimestamp"_s, began()}}},
        {u"spec"_s, QJsonObject{{u"nodeName"_s, u"gpu-1"_s}}}, {u"status"_s, status}};
    const QJsonObject object{{u"kind"_s, u"JobSet"_s}, {u"metadata"_s, QJsonObject{{u"name"_s, set}}}};
    return jobs > 0
        && write(u"sets/"_s + set + u"/items"_s,
            ", " + QJsonDocument(object).toJson(QJsonDocument::Compact) + ", "
                + QJsonDocument(pod).toJson(QJsonDocument::Compact));
}

bool FakeKubernetes::run(const QString &set) const
{
    return show(set,
        {{u"phase"_s, u"Running"_s}, {u"podIP"_s, u"10.1.0.7"_s},
            {u"containerStatuses"_s, container({{u"running"_s, QJsonObject{{u"startedAt"_s, began()}}}})}});
}

bool FakeKubernetes::finish(const QString &set, int status, const QString &reason, const QJsonArray &conditions) const
{
    const QString why = !reason.isEmpty() ? reason : status == 0 ? u"Completed"_s : u"Error"_s;
    const QJsonObject ended{{u"exitCode"_s, status}, {u"reason"_s, why}, {u"startedAt"_s, began()},
        {u"finishedAt"_s, u"2026-01-01T00:01:00Z"_s}};
    return show(set,
        {{u"phase"_s, status == 0 ? u"Succeeded"_s : u"Failed"_s}, {u"conditions"_s, conditions},
            {u"containerStatuses"_s, container({{u"terminated"_s, ended}})}});
}

QString FakeKubernetes::began() { return u"2026-01-01T00:00:00Z"_s; }

QJsonArray FakeKubernetes::container(const QJsonObject &state)
{
    return {QJsonObject{{u"name"_s, u"task"_s}, {u"image"_s, u"example/image:1"_s}, {u"state"_s, state}}};
}
