// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/daemon/podman.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>

using namespace Qt::StringLiterals;

namespace
{

bool writeText(const QString &name, const QByteArray &text)
{
    QFile file(name);
    return file.open(QIODevice::WriteOnly) && file.write(text) == text.size();
}

QByteArray outputOfProgram(const QString &program, const QStringList &arguments)
{
    QProcess process;
    process.start(program, arguments);
    return process.waitForFinished(30000) && process.exitCode() == 0 ? process.readAllStandardOutput() : QByteArray();
}

} // namespace

Podman::Podman()
{
    const QString conf = m_folder.filePath(u"containers.conf"_s);
    const QString storage = m_folder.filePath(u"storage.conf"_s);
    // runc and cgroupfs: crun and systemd are not everywhere; limits as low as where hard ones cannot be raised.
    const bool hasRunc = !QStandardPaths::findExecutable(u"runc"_s).isEmpty()
        || !QStandardPaths::findExecutable(u"runc"_s, {u"/usr/sbin"_s, u"/sbin"_s}).isEmpty();
    writeText(conf,
        "[containers]\ndefault_ulimits = [\"nofile=1024:1024\",\"nproc=4096:4096\"]\n[engine]\n"
            + QByteArray(hasRunc ? "runtime = \"runc\"\n" : "")
            + "cgroup_manager = \"cgroupfs\"\nevents_logger = \"file\"\n");
    // On top of an overlay only the plain copies work.
    const QByteArray driver
        = outputOfProgram(u"stat"_s, {u"-f"_s, u"-c"_s, u"%T"_s, m_folder.path()}).contains("overlay") ? "vfs"
                                                                                                       : "overlay";
    writeText(storage,
        "[storage]\ndriver = \"" + driver + "\"\ngraphroot = \"" + m_folder.filePath(u"root"_s).toUtf8()
            + "\"\nrunroot = \"" + m_folder.filePath(u"run"_s).toUtf8() + "\"\n");
    qputenv("CONTAINERS_CONF", conf.toUtf8());
    qputenv("CONTAINERS_STORAGE_CONF", storage.toUtf8());
    if (QStandardPaths::findExecutable(u"podman"_s).isEmpty()) {
        m_problem = u"podman is not installed: install the packages podman, runc and catatonit."_s;
    } else if (!makeImage(image(), {u"/usr/bin/flock"_s})) {
        m_problem = u"No image can be made: install the packages busybox-static and bash."_s;
    } else {
        QByteArray said;
        if (run({u"run"_s, u"--rm"_s, u"--network=host"_s, image(), u"bash"_s, u"-c"_s, u"echo works"_s}, &said) != 0
            || !said.contains("works")) {
            m_problem
                = u"podman cannot run a container here: run it as root, where mounts and cgroups are allowed (%1)."_s
                      .arg(QString::fromUtf8(said.right(300)).simplified());
        }
    }
}

Podman::~Podman()
{
    const QStringList left = containers();
    for (const QString &name : left) {
        run({u"rm"_s, u"-f"_s, u"-t"_s, u"0"_s, name});
    }
    // Its layers may be mounted, which only podman can undo.
    run({u"rmi"_s, u"-a"_s, u"-f"_s});
    run({u"unshare"_s, u"true"_s});
    for (const QString &line : QString::fromUtf8(outputOfProgram(u"cat"_s, {u"/proc/mounts"_s})).split(u'\n')) {
        const QString at = line.section(u' ', 1, 1);
        if (at.startsWith(m_folder.path() + u'/')) {
            outputOfProgram(u"umount"_s, {u"-l"_s, at});
        }
    }
    qunsetenv("CONTAINERS_CONF");
    qunsetenv("CONTAINERS_STORAGE_CONF");
}

int Podman::run(const QStringList &arguments, QByteArray *said) const
{
    QProcess process;
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.setWorkingDirectory(m_folder.path()); // conmon leaves files where it is started
    process.start(u"podman"_s, arguments);
    if (!process.waitForFinished(30000)) {
        return -1;
    }
    if (said) {
        *said = process.readAllStandardOutput();
    }
    return process.exitCode();
}

QStringList Podman::containers() const
{
    QByteArray said;
    run({u"ps"_s, u"-a"_s, u"--format"_s, u"{{.Names}}"_s}, &said);
    return QString::fromUtf8(said).split(u'\n', Qt::SkipEmptyParts);
}

bool Podman::makeSshImage() const { return makeImage(sshImage(), {u"/usr/sbin/sshd"_s, u"/usr/bin/ssh"_s}); }

bool Podman::makeImage(const QString &name, const QStringList &programs) const
{
    const QString busybox = QStandardPaths::findExecutable(u"busybox"_s);
    const QString bash = QStandardPaths::findExecutable(u"bash"_s);
    const QTemporaryDir place(m_folder.filePath(u"treeXXXXXX"_s));
    const QDir tree(place.path());
    QFile::setPermissions(place.path(), QFile::Permissions(0x7755)); // as / has them
    const auto put = [&tree](const QString &from, const QString &to) {
        QDir().mkpath(QFileInfo(tree.path() + to).path());
        return QFile::exists(tree.path() + to) || QFile::copy(QFileInfo(from).canonicalFilePath(), tree.path() + to);
    };
    if (busybox.isEmpty() || bash.isEmpty() || !put(busybox, u"/bin/busybox"_s) || !put(bash, u"/bin/bash"_s)) {
        return false;
    }
    for (const char *applet :
        {"sh", "cat", "chmod", "cut", "date", "dd", "echo", "env", "head", "id", "ln", "ls", "mkdir", "mv", "printf",
            "pwd", "rm", "sed", "seq", "setsid", "sha256sum", "sleep", "sort", "tail", "touch", "tr", "true", "wc"}) {
        QFile::link(u"busybox"_s, tree.filePath(u"bin/"_s + QLatin1StringView(applet)));
    }
    for (const char *folder : {"dev", "etc", "proc", "root", "run", "sys", "tmp", "usr/bin"}) {
        tree.mkpath(QString::fromLatin1(folder));
    }
    QFile::link(u"../../bin/busybox"_s, tree.filePath(u"usr/bin/env"_s));
    writeText(tree.filePath(u"etc/passwd"_s),
        "root:x:0:0:root:/root:/bin/bash\nsshd:x:103:65534::/run/sshd:/usr/sbin/nologin\n");
    writeText(tree.filePath(u"etc/group"_s), "root:x:0:\n");
    static const QRegularExpression path(u"(/[^ \\n]+) \\("_s);
    for (const QString &program : QStringList{bash} + programs) {
        if (program != bash && !put(program, program)) {
            return false;
        }
        const QString libraries = QString::fromUtf8(outputOfProgram(u"ldd"_s, {program}));
        for (auto match = path.globalMatch(libraries); match.hasNext();) {
            const QString library = match.next().captured(1);
            put(library, library);
        }
    }
    const QString tar = place.path() + u".tar"_s;
    QProcess packing;
    packing.start(u"tar"_s, {u"-C"_s, tree.path(), u"-cf"_s, tar, u"."_s});
    const bool made
        = packing.waitForFinished(30000) && packing.exitCode() == 0 && run({u"import"_s, u"-q"_s, tar, name}) == 0;
    QFile::remove(tar);
    return made;
}
