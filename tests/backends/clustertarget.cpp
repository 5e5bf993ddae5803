// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/backends/clustertarget.h"

#include "engine/backend/clock.h"
#include "engine/contract/leadplan.h"
#include "engine/contract/taskfolder.h"

#include <QDir>
#include <QFile>

#include <csignal>
#include <cstdio>

using namespace trainyard;
using namespace Qt::StringLiterals;

namespace
{

QByteArray bytesIn(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll().trimmed() : QByteArray();
}

} // namespace

ScriptedClusterBackend::ScriptedClusterBackend(ClusterTarget &target, const Neighbours &house, const Options &options)
    : ClusterQuestions(house.settings), SlurmBackend(trainyard::SlurmTarget{u"lab"_s, {}, target.m_runFolder}, options,
                                            house.settings, commands, queue, house.exitRules),
      m_cluster(target)
{
}

Result<void> ScriptedClusterBackend::accept(Prepared &prepared, const SubmitRequest &request) const
{
    const QString named = prepared.document.target;
    const Result<void> accepted = SlurmBackend::accept(prepared, request);
    prepared.document.target = named;
    return accepted;
}

void ScriptedClusterBackend::perform(const std::vector<JobEffect> &effects)
{
    m_cluster.m_isAskedToStop = m_cluster.m_isAskedToStop
        || std::any_of(effects.begin(), effects.end(),
            [](const JobEffect &each) { return std::holds_alternative<core::effect::StopTry>(each.effect); });
    SlurmBackend::perform(effects);
}

// A folder of jobs/ is a job; it is there when it has its file "folder", which names the one of the allocation.
ClusterTarget::ClusterTarget() : m_path(qgetenv("PATH"))
{
    QDir().mkpath(path(u"jobs"_s));
    QDir().mkpath(path(u"bin"_s));
    const QByteArray head = "#!/bin/sh\ncd '" + QFile::encodeName(m_folder.path()) + "' || exit 1\n";
    write(u"bin/sbatch"_s,
        head
            + ": >asked\n"
              "while [ -e silent ]; do sleep 0.02; done\n"
              "for each; do\n"
              "    case $each in --comment=*) comment=${each#*=} ;; --job-name=*) name=${each#*=} ;; esac\n"
              "done\n"
              "id=1\n"
              "until mkdir jobs/$id 2>/dev/null; do id=$((id + 1)); done\n"
              "echo \"$comment\" >jobs/$id/comment\n"
              "echo \"$name\" >jobs/$id/name\n"
              "echo PENDING >jobs/$id/state\n"
              "dirname \"$each\" >jobs/$id/new\n"
              "mv jobs/$id/new jobs/$id/folder\n"
              "echo $id\n",
        true);
    write(u"bin/squeue"_s,
        head
            + "for job in jobs/*; do\n"
              "    if [ -e $job/folder ] && [ ! -e $job/forgotten ]; then\n"
              "        printf '%s\\037%s\\037%s\\037N/A\\037None\\037%s\\037/site/wrapper\\n' ${job#jobs/} $(cat "
              "$job/state) "
              "\"$(cat $job/comment)\" \"$(cat $job/name)\"\n"
              "        [ ! -e $job/second ] || printf '%s\\037CANCELLED\\037\\037N/A\\037None\\037\\037\\n' "
              "${job#jobs/}+1\n"
              "    fi\n"
              "done\n"
              "exit 0\n",
        true);
    write(u"bin/scancel"_s,
        head
            + "if [ -e deaf ]; then\n"
              "    echo x >>unheard\n"
              "    echo 'scancel: error: Unable to contact slurm controller (connect failure)' >&2\n"
              "    exit 1\n"
              "fi\n"
              "only= signal= batch= ids=\n"
              "for each; do\n"
              "    case $each in\n"
              "    --state=*) only=${each#--state=} ;;\n"
              "    --signal=*) signal=${each#--signal=} ;;\n"
              "    --batch) batch=batch- ;;\n"
              "    --*) ;;\n"
              "    *) ids=\"$ids $each\" ;;\n"
              "    esac\n"
              "done\n"
              "case $signal in STOP | CONT | URG) echo $batch$signal >>halts; exit 0 ;; esac\n"
              "for id in $ids; do\n"
              "    [ -e jobs/$id/folder ] || exit 1\n"
              "    state=$(cat jobs/$id/state)\n"
              "    [ -n \"$only\" ] && [ $state != \"$only\" ] && continue\n"
              "    [ -n \"$signal\" ] && [ $state = PENDING ] && continue\n"
              "    echo \"$signal\" >>jobs/$id/signals\n"
              "    [ -n \"$signal\" ] && [ -e jobs/$id/unled ] && continue\n"
              "    : >jobs/$id/cancel\n"
              "done\n"
              "exit 0\n",
        true);
    setAccounts("echo 'Slurm accounting storage is disabled' >&2\nexit 1\n");
    qputenv("PATH", QFile::encodeName(path(u"bin"_s)) + ':' + m_path);
    m_timer.setInterval(20);
    QObject::connect(&m_timer, &QTimer::timeout, &m_timer, [this] { work(); });
    m_timer.start();
}

ClusterTarget::~ClusterTarget()
{
    setAnswering(true); // nothing may wait for it
    qputenv("PATH", m_path);
}

// There whole or not at all: others read it at any time.
void ClusterTarget::write(const QString &name, const QByteArray &bytes, bool isProgram) const
{
    const QString made = path(name + u".new"_s);
    QFile file(made);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size()) {
        qWarning("cannot write %s", qPrintable(made));
    }
    file.close();
    if (isProgram) {
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    }
    if (std::rename(QFile::encodeName(made).constData(), QFile::encodeName(path(name)).constData()) != 0) {
        qWarning("cannot rename %s", qPrintable(made));
    }
}

std::unique_ptr<Backend> ClusterTarget::makeBackend(const Neighbours &house, Cut &cut)
{
    SlurmBackend::Options options;
    options.stateFolder = house.stateFolder;
    options.agentProgram = path(u"bin/sacct"_s); // nothing runs it
    options.goneMs = 500;
    options.unaccountedMs = m_unaccountedMs;
    options.lookMs = 50;
    options.forceMs = 500;
    return std::make_unique<WithCut<ScriptedClusterBackend>>(cut, *this, house, options);
}

QStringList ClusterTarget::jobs() const
{
    QStringList known;
    const QStringList all = QDir(path(u"jobs"_s)).entryList(QDir::Dirs | QDir::NoDotAndDotDot);
    for (const QString &each : all) {
        const QString job = u"jobs/"_s + each;
        if (QFile::exists(path(job + u"/folder"_s)) && !QFile::exists(path(job + u"/forgotten"_s))) {
            known.append(job);
        }
    }
    return known;
}

// What waits is started, and what is to end ends.
void ClusterTarget::work()
{
    const QStringList all = jobs();
    for (const QString &job : all) {
        const QByteArray state = bytesIn(path(job + u"/state"_s));
        const bool isCancelled = QFile::exists(path(job + u"/cancel"_s));
        if (isCancelled && state == "PENDING") {
            write(job + u"/state"_s, "CANCELLED\n");
        } else if (state == "PENDING" && !m_isStarting) {
            continue;
        } else if (state == "PENDING" && QFile::exists(path(u"slow"_s))) {
            write(job + u"/unled"_s, {});
            write(job + u"/state"_s, "RUNNING\n");
        } else if (state == "PENDING") {
            start(job);
        } else if (QFile::exists(path(job + u"/unled"_s))) {
            if (!QFile::exists(path(u"slow"_s))) {
                QFile::remove(path(job + u"/unled"_s));
                start(job);
            }
        } else if (isCancelled && state == "RUNNING") {
            std::erase_if(m_running, [this, &job](const Try &entry) {
                if (entry.job != job) {
                    return false;
                }
                contract::ExitRecord record;
                record.kind = contract::ExitKind::Signaled;
                record.value = SIGTERM;
                end(entry, record, "CANCELLED\n");
                return true;
            });
        }
    }
}

void ClusterTarget::start(const QString &job)
{
    const QString allocation = QString::fromUtf8(bytesIn(path(job + u"/folder"_s)));
    const std::optional<contract::LeadPlan> plan
        = contract::LeadPlan::parse(bytesIn(allocation + u"/plan.json"_s).toStdString());
    if (!plan || plan->isArray) {
        qWarning("%s is no allocation that can be played", qPrintable(allocation));
        write(job + u"/state"_s, "FAILED\n");
        return;
    }
    const QByteArray at = QFile::encodeName(allocation);
    contract::LeadPlaces places;
    places.clusterId = job.section(u'/', 1).toStdString();
    places.tasks.assign(plan->tasks.size(), {"n1", "127.0.0.1"});
    contract::writeAtomically(at.toStdString() + "/placed", places.toText(), false);
    if (QFile::exists(allocation + u"/stop"_s)) {
        contract::writeAtomically(
            at.toStdString() + "/end", contract::LeadEnd{"signal", "asked to end", nowMs()}.toText(), false);
        write(job + u"/state"_s, "FAILED\n");
        return;
    }
    for (std::size_t i = 0; i < plan->tasks.size(); ++i) {
        QFile::remove(allocation + u"/launch-"_s + QString::number(i));
        begin({job, allocation, plan->tasks[i]});
    }
    write(job + u"/state"_s, "RUNNING\n");
}

void ClusterTarget::begin(Try entry)
{
    entry.folder = contract::folderOfTry(entry.task, entry.again);
    contract::StartedRecord started;
    started.host = "n1";
    started.process = {"boot", 1000 + ++m_starts, 1};
    started.tryUuid = contract::uuidOfTry(entry.task, entry.again);
    started.at = entry.began = nowMs();
    contract::makeFolders(entry.folder);
    contract::writeAtomically(entry.folder + "/output.log", "", false);
    contract::writeAtomically(entry.folder + "/started", started.format(), false);
    m_running.push_back(std::move(entry));
}

void ClusterTarget::writeRecord(const Try &entry, const contract::ExitRecord &record)
{
    contract::ExitRecord exit = record;
    exit.began = entry.began;
    exit.ended = nowMs();
    contract::writeAtomically(entry.folder + "/exit", exit.format(), false);
}

void ClusterTarget::end(const Try &entry, const contract::ExitRecord &record, const QByteArray &state) const
{
    writeRecord(entry, record);
    contract::writeAtomically(QFile::encodeName(entry.allocation).toStdString() + "/end",
        contract::LeadEnd{"done", {}, nowMs()}.toText(), false);
    write(entry.job + u"/state"_s, state);
}

void ClusterTarget::endAll(int status)
{
    work(); // what it was told before
    for (const Try &entry : std::exchange(m_running, {})) {
        contract::ExitRecord record;
        record.kind = contract::ExitKind::Exited;
        record.value = status;
        end(entry, record, status == 0 ? "COMPLETED\n" : "FAILED\n");
    }
}

void ClusterTarget::endTries(int status)
{
    for (const Try &entry : std::exchange(m_running, {})) {
        contract::ExitRecord record;
        record.kind = contract::ExitKind::Exited;
        record.value = status;
        writeRecord(entry, record);
    }
}

void ClusterTarget::tryAgain(int status)
{
    std::vector<Try> former = m_running;
    endTries(status);
    for (Try &entry : former) {
        ++entry.again;
        contract::writeAtomically(QFile::encodeName(entry.allocation).toStdString() + "/again",
            contract::LeadAgain{int(entry.again), nowMs()}.toText(), false);
        begin(std::move(entry));
    }
}

void ClusterTarget::setHearing(bool on)
{
    if (on) {
        QFile::remove(path(u"deaf"_s));
    } else {
        write(u"deaf"_s, {});
    }
}

void ClusterTarget::setLaunching(bool on)
{
    if (on) {
        QFile::remove(path(u"slow"_s));
    } else {
        write(u"slow"_s, {});
    }
}

bool ClusterTarget::isPreparing() const { return QFile::exists(path(u"jobs/1/unled"_s)); }

bool ClusterTarget::isAskedToCancel() const
{
    const QStringList all = jobs();
    return std::any_of(
        all.begin(), all.end(), [this](const QString &job) { return QFile::exists(path(job + u"/cancel"_s)); });
}

void ClusterTarget::takeTwice()
{
    const QString first = jobs().constFirst();
    const QByteArray allocation = bytesIn(path(first + u"/folder"_s));
    QDir().mkpath(path(u"jobs/1000"_s));
    write(u"jobs/1000/comment"_s, bytesIn(path(first + u"/comment"_s)) + '\n');
    write(u"jobs/1000/name"_s, bytesIn(path(first + u"/name"_s)) + '\n');
    write(u"jobs/1000/state"_s, "FAILED\n");
    write(u"jobs/1000/folder"_s, allocation + '\n');
    contract::writeAtomically(allocation.toStdString() + "/submitted", "1000\n", false);
}

QByteArrayList ClusterTarget::halts() const { return bytesIn(path(u"halts"_s)).split('\n'); }

int ClusterTarget::unheard() const { return int(bytesIn(path(u"unheard"_s)).count('x')); }

QByteArrayList ClusterTarget::signalsOf(int job) const
{
    return bytesIn(path(u"jobs/%1/signals"_s.arg(job))).split('\n');
}

bool ClusterTarget::isAskedToCancel(int job) const { return QFile::exists(path(u"jobs/%1/cancel"_s.arg(job))); }

void ClusterTarget::hideAll()
{
    const QStringList all = jobs();
    for (const QString &job : all) {
        write(job + u"/forgotten"_s, {});
    }
}

void ClusterTarget::forgetAll()
{
    hideAll();
    m_running.clear();
}

void ClusterTarget::giveNumberAway()
{
    const QString job = jobs().constFirst();
    write(job + u"/name"_s, "train\n");
    setComment({});
    m_running.clear();
}

void ClusterTarget::setComment(const QByteArray &comment)
{
    write(jobs().constFirst() + u"/comment"_s, comment + '\n');
}

void ClusterTarget::setAnswering(bool on)
{
    if (on) {
        QFile::remove(path(u"silent"_s));
    } else {
        write(u"silent"_s, {});
    }
}

void ClusterTarget::setAccounts(const QByteArray &script)
{
    QFile::remove(path(u"accounts"_s));
    write(u"bin/sacct"_s,
        "#!/bin/sh\ncd '" + QFile::encodeName(m_folder.path()) + "' || exit 1\necho x >>accounts\n" + script, true);
}

int ClusterTarget::accountQuestions() const { return int(bytesIn(path(u"accounts"_s)).count('x')); }

bool ClusterTarget::isAsked() const { return QFile::exists(path(u"asked"_s)); }

bool ClusterTarget::isQuiet() const
{
    const QStringList all = jobs();
    return std::all_of(all.begin(), all.end(), [this](const QString &job) {
        const QByteArray state = bytesIn(path(job + u"/state"_s));
        return state != "PENDING" && (state != "RUNNING" || !QFile::exists(path(job + u"/cancel"_s)));
    });
}

void ClusterTarget::setSuspended(bool on)
{
    const QByteArray before = on ? "RUNNING" : "SUSPENDED";
    const QStringList all = jobs();
    for (const QString &job : all) {
        if (bytesIn(path(job + u"/state"_s)) == before) {
            write(job + u"/state"_s, on ? "SUSPENDED\n" : "RUNNING\n");
        }
    }
}

void ClusterTarget::cancelSecondComponent()
{
    std::erase_if(m_running, [this](const Try &entry) {
        if (entry.task.component != 1) {
            return false;
        }
        write(entry.job + u"/second"_s, {});
        contract::ExitRecord record;
        record.kind = contract::ExitKind::Signaled;
        record.value = SIGTERM;
        writeRecord(entry, record);
        return true;
    });
}

void ClusterTarget::report(const QByteArray &line)
{
    const QStringList folders = foldersOfTries();
    for (const QString &folder : folders) {
        QFile log(folder + u"/runtime.log"_s);
        if (log.open(QIODevice::Append)) {
            log.write(line);
        }
    }
}

QStringList ClusterTarget::foldersOfTries() const
{
    QStringList folders;
    for (const Try &entry : m_running) {
        folders.append(QString::fromStdString(entry.folder));
    }
    return folders;
}

void ClusterTarget::print(const QByteArray &text)
{
    for (const Try &entry : m_running) {
        QFile log(QString::fromStdString(entry.folder) + u"/output.log"_s);
        if (log.open(QIODevice::Append)) {
            log.write(text);
        }
    }
}
