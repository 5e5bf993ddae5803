// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/contract/clifixture.h"

#include "tests/helpers/fullform.h"

#include <QFile>
#include <QFileInfo>
#include <QProcess>

using namespace Qt::StringLiterals;

CliFixture::CliFixture() : m_program(qEnvironmentVariable("TRAINYARD_BIN") + u"/trainyardctl"_s) { spareLeakChecks(); }

bool CliFixture::isReady() const { return QFileInfo(m_program).isExecutable() && m_folder.isValid(); }

CliFixture::Run CliFixture::run(const QStringList &arguments, const QByteArray &input) const
{
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(u"HOME"_s, m_folder.path());
    environment.insert(u"XDG_CONFIG_HOME"_s, m_folder.filePath(u"config"_s));
    environment.insert(u"XDG_RUNTIME_DIR"_s, m_folder.path()); // no engine of the user's has a say
    environment.insert(u"LC_ALL"_s, u"C"_s);
    process.setProcessEnvironment(environment);
    process.setChildProcessModifier(inChild);
    process.start(m_program, arguments);
    process.write(input);
    process.closeWriteChannel();
    if (!process.waitForFinished(60'000) || process.exitStatus() != QProcess::NormalExit) {
        return {-1, process.readAllStandardOutput(), process.readAllStandardError()};
    }
    return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
}

QString CliFixture::file(const QString &name, const QByteArray &bytes) const
{
    const QString path = m_folder.filePath(name);
    QFile out(path);
    if (!out.open(QIODevice::WriteOnly) || out.write(bytes) != bytes.size()) {
        return {};
    }
    return path;
}

QByteArray CliFixture::contents(const QString &path)
{
    QFile in(path);
    return in.open(QIODevice::ReadOnly) ? in.readAll() : QByteArray();
}
