// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>
#include <QTemporaryDir>

#include <functional>

// A job without faults, which has a secret.
inline constexpr char goodJob[] = R"(# a job
protocolVersion: 2
name: demo
type: job
prerequisites:
  - name: img   # the image
    type: dockerimage
    uri: a/b
  - name: prep
    type: script
    plugin: com.microsoft.pai.runtimeplugin.cmd
    callbacks:
      - event: taskStarts
        commands: [echo prep]
parameters:
  lr: 0.1
secrets:
  token: hunter2secret
taskRoles:
  worker:
    instances: 2
    dockerImage: img
    prerequisites: [prep]
    resourcePerInstance: {cpu: 1, memoryMB: 64, gpu: 0, ports: {web: 1}}
    commands:
      - echo <% $parameters.lr %> # rate
      - echo <% $secrets.token %>
)";

// One with two faults.
inline constexpr char badJob[]
    = "protocolVersion: 2\nname: d\u00e9mo job\ntype: job\ntaskRoles:\n  w:\n    dockerImage: img\n"
      "    resourcePerInstance: {cpu: 1, memoryMB: 64, gpu: 0}\n    commands: [a]\n";

// The real trainyardctl, in a folder of its own and without an engine.
class CliFixture
{
public:
    struct Run {
        int status = -1;
        QByteArray out, err;
    };
    CliFixture();
    bool isReady() const; // it has been built, and there is a folder
    QString program() const { return m_program; }
    QString path(const QString &name) const { return m_folder.filePath(name); }
    QString folder() const { return m_folder.path(); }
    Run run(const QStringList &arguments, const QByteArray &input = {}) const; // to its end
    QString file(const QString &name, const QByteArray &bytes) const; // its path; empty: it cannot be written
    static QByteArray contents(const QString &path);

    std::function<void()> inChild; // called in the process of run() before the program

private:
    QTemporaryDir m_folder;
    QString m_program;
};
