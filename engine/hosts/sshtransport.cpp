// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/hosts/sshtransport.h"

#include "engine/api/hoststeps.h"
#include "engine/client/sshnames.h"
#include "engine/hosts/hostsfile.h"
#include "engine/hosts/sshscripts.h"

namespace trainyard
{
namespace
{

using namespace Qt::StringLiterals;

constexpr qsizetype longestBanner = 2048;
constexpr int outputPipe = 256 << 10; // a log is read in fewer and larger pieces
constexpr qint64 mostNoise = 16 << 20; // a program that never stops printing is not a shell
// From the last thing that was printed. Some start-up files wait for a file server or make an environment of Python.
constexpr std::chrono::milliseconds shellPause = std::chrono::seconds(5);
constexpr std::chrono::milliseconds shellEnd = std::chrono::seconds(40);
constexpr std::chrono::milliseconds promptEnd = std::chrono::seconds(5); // when what it printed looks like a question
constexpr std::chrono::milliseconds pushStep = std::chrono::minutes(1); // until ssh takes the next bytes
// Time for what ssh and the network still hold when ssh has taken everything; ssh itself notices a dead link.
constexpr std::chrono::milliseconds pushEnd = std::chrono::minutes(5);
constexpr std::chrono::milliseconds startStep = std::chrono::minutes(1); // until the pushed agent speaks

} // namespace

SshTransport::SshTransport(const SshOptions &options, QObject *parent)
    : Transport(parent), m_options(options), m_programs(options.agentProgram), m_program(m_programs.own())
{
    m_late.setSingleShot(true);
    connect(&m_late, &QTimer::timeout, this, &SshTransport::shellIsLate);
}

SshTransport::~SshTransport()
{
    m_closed = true;
    if (m_process) {
        m_process->disconnect(this);
        if (m_process->state() != QProcess::NotRunning) {
            m_process->kill();
            m_process->waitForFinished(1000);
        }
    }
}

void SshTransport::start()
{
    if (m_program.hash.isEmpty()) {
        close({u"host.agent-not-started"_s,
            {{u"program"_s, m_options.agentProgram}, {u"message"_s, u"cannot be read"_s}}});
        return;
    }
    run(Phase::Serving);
}

void SshTransport::run(Phase phase)
{
    m_phase = phase;
    m_verdict.clear();
    m_trail = {};
    m_serving = false;
    m_isHeard = false;
    m_noise = 0;
    m_wait = Wait::ForShell;
    m_process = std::make_unique<QProcess>();
    QProcess *process = m_process.get();
    detachFromTerminal(*process, outputPipe); // ssh asks by its SSH_ASKPASS
    QStringList arguments;
    if (!m_options.configFile.isEmpty()) {
        arguments << u"-F"_s << m_options.configFile;
    }
    m_askedBefore.clear();
    m_usedAgain = m_isPasswordGiven = false;
    m_phrase = {};
    if (!m_options.askFolder.isEmpty() && !m_askPass) {
        m_askPass = std::make_unique<AskPass>(m_options.askFolder);
        connect(m_askPass.get(), &AskPass::asked, this, &SshTransport::takeQuestion);
        connect(m_askPass.get(), &AskPass::gone, this, [this](int id) {
            m_open.remove(id);
            Q_EMIT askedNoMore(id);
        });
        if (!m_askPass->listen()) {
            m_options.askFolder.clear();
        }
    }
    const bool asks = !m_options.askFolder.isEmpty();
    arguments << u"-o"_s << (asks ? u"BatchMode=no"_s : u"BatchMode=yes"_s);
    if (asks) {
        arguments << u"-o"_s << u"NumberOfPasswordPrompts=1"_s;
    }
    // Settings in the user's configuration for interactive use must not affect this channel.
    for (const QString &option : {u"ControlPath=none"_s, u"ClearAllForwardings=yes"_s, u"ForwardX11=no"_s,
             u"ForwardAgent=no"_s, u"PermitLocalCommand=no"_s, u"ServerAliveCountMax=3"_s,
             QString(u"ServerAliveInterval="_s + QString::number(m_options.aliveIntervalSeconds)),
             QString(u"ConnectTimeout="_s + QString::number(m_options.connectTimeoutSeconds))}) {
        arguments << u"-o"_s << option;
    }
    arguments << m_settings.words();
    const QByteArray script = phase == Phase::Serving
        ? sshscripts::serve(m_programs.all(), m_nonce)
        : sshscripts::push(m_program.hash, m_nonce, m_program.bytes.size());
    arguments << u"-v"_s << u"-T"_s << u"--"_s << sshDestination(m_options.target)
              << u"exec /bin/sh -c '"_s + QString::fromLatin1(script) + u'\'';
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (auto it = m_options.environment.cbegin(); it != m_options.environment.cend(); ++it) {
        environment.insert(it.key(), it.value());
    }
    environment.insert(u"LC_ALL"_s, u"C"_s); // ssh's complaints are read
    if (!m_options.askFolder.isEmpty()) {
        environment.insert(u"SSH_ASKPASS"_s, m_options.agentProgram);
        environment.insert(u"SSH_ASKPASS_REQUIRE"_s, u"force"_s);
        environment.insert(u"TRAINYARD_ASKPASS"_s, m_askPass->path());
    }
    process->setProcessEnvironment(environment);
    connect(process, &QProcess::readyReadStandardOutput, this, &SshTransport::readOutput);
    connect(process, &QProcess::readyReadStandardError, this, &SshTransport::readComplaints);
    connect(process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart) {
            close({u"host.ssh-missing"_s, {{u"message"_s, m_process->errorString()}}});
        }
    });
    connect(process, &QProcess::finished, this,
        [this](int status, QProcess::ExitStatus how) { finished(how == QProcess::NormalExit ? status : 255); });
    if (phase == Phase::Serving) {
        connect(process, &QProcess::bytesWritten, this, &Transport::taken);
    }
    process->start(u"ssh"_s, arguments);
    if (phase == Phase::Pushing) {
        connect(process, &QProcess::bytesWritten, this,
            [this, process] { Q_EMIT preparing(process->bytesToWrite() > 0 ? pushStep : pushEnd); });
        Q_EMIT preparing(pushStep);
        process->write(m_program.bytes);
        process->closeWriteChannel();
    }
}

void SshTransport::readComplaints()
{
    const QList<SshTrail::Passed> steps = m_trail.take(m_process->readAllStandardError());
    for (const SshTrail::Passed &step : steps) {
        if (step.step == hoststep::login) {
            m_sinceLogin.start();
            waitForShell();
        }
        if (m_phase == Phase::Serving && !m_pushed) {
            Q_EMIT passed(step.step, step.facts);
        }
    }
}

void SshTransport::readOutput()
{
    const QByteArray bytes = m_process->readAllStandardOutput();
    if (m_phase == Phase::Serving && m_isHeard) {
        Q_EMIT received(bytes);
        if (m_closed || m_serving) {
            return;
        }
    }
    m_verdict.append(bytes);
    if (!m_isHeard) {
        m_noise += bytes.size();
    }
    if (m_phase == Phase::Pushing) {
        lookForProgress();
        return;
    }
    if (!m_isHeard) {
        lookForShell();
    }
    if (m_isHeard && !m_closed) {
        lookForVerdict();
    }
}

// The output of start-up files can be long, and ends where the script begins.
void SshTransport::lookForShell()
{
    const qsizetype begin = m_verdict.indexOf(QByteArray("\nTRAINYARD-PATH " + m_nonce));
    if (begin < 0) {
        if (m_noise > mostNoise) {
            close(meaningOfShell(u"host.shell-waits"_s, u"host.shell-hangs"_s));
            return;
        }
        if (m_verdict.size() > (2 << 20)) {
            m_verdict = m_verdict.right(1 << 20);
        }
        if (m_late.isActive()) {
            waitForShell();
        }
        return;
    }
    m_late.stop();
    if (m_wait == Wait::SinceEndOfInput) { // without input there is no agent
        m_isSlow = true;
        m_process->terminate();
        return;
    }
    m_isHeard = true;
    if (!m_hasShell) {
        m_hasShell = true;
        Q_EMIT passed(hoststep::shell, {});
        Q_EMIT bannerKnown(QString::fromUtf8(m_verdict.first(begin).left(longestBanner)).trimmed());
    }
    m_verdict.remove(0, begin);
    Q_EMIT received(m_verdict);
}

void SshTransport::waitForShell()
{
    if (m_phase == Phase::Serving && !m_isHeard && !m_isSlow) {
        const bool isPrompt = !m_verdict.isEmpty() && !m_verdict.endsWith('\n');
        m_late.start(m_wait == Wait::ForShell ? shellPause : isPrompt ? promptEnd : shellEnd);
    }
}

void SshTransport::shellIsLate()
{
    if (m_wait == Wait::ForShell) {
        m_wait = Wait::SinceEndOfInput;
        m_process->closeWriteChannel();
        waitForShell();
        return;
    }
    close(meaningOfShell(u"host.shell-waits"_s, u"host.shell-hangs"_s));
}

// The last line may not be whole yet.
void SshTransport::lookForProgress()
{
    if (m_noise > mostNoise) {
        close(meaningOfShell(u"host.shell-waits"_s, u"host.shell-hangs"_s));
        return;
    }
    const QByteArray begin = "\nTRAINYARD-GOT " + m_nonce + ' ';
    const qsizetype at = m_verdict.lastIndexOf(begin, m_verdict.lastIndexOf('\n') - 1);
    const qsizetype from = at + begin.size();
    const qsizetype end = at < 0 ? -1 : m_verdict.indexOf('\n', from);
    const qint64 bytes = end < 0 ? 0 : m_verdict.mid(from, end - from).trimmed().toLongLong();
    if (bytes > m_arrived) {
        m_arrived = bytes;
        Q_EMIT preparing(bytes < m_program.bytes.size() ? pushStep : pushEnd);
        Q_EMIT advanced(hoststep::push, {{u"bytes"_s, bytes}, {u"of"_s, m_program.bytes.size()}});
    }
}

void SshTransport::lookForVerdict()
{
    const auto lineAfter = [this](const QByteArray &word) {
        const QByteArray begin = '\n' + word + ' ' + m_nonce + ' ';
        const qsizetype at = m_verdict.indexOf(begin);
        const qsizetype end = at < 0 ? -1 : m_verdict.indexOf('\n', at + begin.size());
        return end < 0 ? QByteArray() : m_verdict.mid(at + begin.size(), end - at - begin.size());
    };
    if (const QByteArray folder = lineAfter("TRAINYARD-FOUND"); !folder.isEmpty() && !m_pushed) {
        Q_EMIT passed(hoststep::push, {{u"bytes"_s, 0}});
        Q_EMIT passed(hoststep::folder, {{u"folder"_s, QString::fromUtf8(folder)}});
    }
    if (m_verdict.contains(QByteArray("TRAINYARD-AGENT 1 " + m_nonce))) {
        const QList<QByteArray> path = lineAfter("TRAINYARD-PATH").split(' '); // our address, port, the host's, port
        if (path.size() == 4) {
            Q_EMIT addressesKnown(QString::fromLatin1(path.at(2)), QString::fromLatin1(path.at(0)));
        }
        m_serving = true;
        m_answers.clear();
        m_verdict.clear();
        return;
    }
    if (const QByteArray machine = lineAfter("TRAINYARD-NEEDS-AGENT"); !machine.isEmpty()) {
        m_machine = QString::fromLatin1(machine);
    }
}

void SshTransport::finished(int exitStatus)
{
    if (m_closed) {
        return;
    }
    readComplaints();
    readOutput();
    if (m_closed) {
        return;
    }
    m_late.stop();
    m_process.release()->deleteLater(); // this runs inside its signal
    if (asksAnew(exitStatus)) {
        return;
    }
    if (exitStatus == sshFailed && m_settings.leaveOutRefused(m_trail.complaints())) {
        run(m_phase);
        return;
    }
    if (m_phase == Phase::Serving) {
        if (m_isSlow && m_wait == Wait::SinceEndOfInput) {
            Q_EMIT preparing(startStep);
            run(Phase::Serving);
            return;
        }
        if (!m_isHeard && exitStatus != sshFailed) {
            close(meaningOfShell(u"host.shell-failed"_s, u"host.shell-silent"_s, exitStatus));
            return;
        }
        if (!m_serving && !m_machine.isEmpty()) {
            if (!m_pushed) {
                if (chooseProgram()) {
                    m_pushed = true;
                    run(Phase::Pushing);
                }
                return;
            }
            close({u"host.agent-gone"_s, {{u"host"_s, m_options.target}}}); // something removes it at once
            return;
        }
        const bool isAgent = exitStatus != sshFailed; // its end, or that of the script
        close(isAgent ? meaningOf(0, m_trail.saidByCommand(), m_options.target) : meaningOfEnd());
        return;
    }
    if (m_verdict.contains(QByteArray("\nTRAINYARD-PUSHED " + m_nonce))) {
        m_machine.clear();
        const qsizetype begin = m_verdict.indexOf("\nTRAINYARD-PUSHED ") + 19 + m_nonce.size();
        const QByteArray folder = m_verdict.mid(begin, m_verdict.indexOf('\n', begin) - begin);
        Q_EMIT passed(hoststep::push, {{u"bytes"_s, m_program.bytes.size()}});
        Q_EMIT passed(hoststep::folder, {{u"folder"_s, QString::fromUtf8(folder)}});
        Q_EMIT preparing(startStep);
        run(Phase::Serving);
    } else if (m_verdict.contains(QByteArray("\nTRAINYARD-NOT-PUSHED " + m_nonce))) {
        close(meaningOfRefusal());
    } else {
        close(exitStatus == sshFailed ? meaningOfEnd() : meaningOf(exitStatus, m_trail.complaints(), m_options.target));
    }
}

// An answer that the last connection took is refused now: it was for one time, though its question does not say so.
bool SshTransport::asksAnew(int exitStatus)
{
    const auto isRefused = [this] { return meaningOfEnd().code.startsWith("host.needs-login"_L1); };
    if (!m_usedAgain || exitStatus != sshFailed || !isRefused()) {
        return false;
    }
    m_answers.clear();
    Q_EMIT preparing(startStep);
    run(m_phase);
    return true;
}

// The one that the host needs. Without it nothing is copied that cannot run there.
bool SshTransport::chooseProgram()
{
    const AgentPrograms::Program *fitting = m_programs.forMachine(m_machine);
    if (!fitting) {
        close({u"host.agent-none"_s,
            {{u"host"_s, m_options.target}, {u"machine"_s, m_machine},
                {u"known"_s, m_programs.machines().join(u", "_s)}}});
        return false;
    }
    m_program = *fitting;
    return true;
}

void SshTransport::write(const char *bytes, qint64 length)
{
    if (m_process && m_phase == Phase::Serving) {
        m_process->write(bytes, length);
    }
}

qint64 SshTransport::bytesWaiting() const { return m_process ? m_process->bytesToWrite() : 0; }

void SshTransport::close(const Error &why)
{
    if (!m_closed) {
        m_closed = true;
        Q_EMIT closed(why);
    }
}

} // namespace trainyard
