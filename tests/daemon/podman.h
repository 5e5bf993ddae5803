// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QStringList>
#include <QTemporaryDir>

// A podman with images of its own, without any registry: one image of a static busybox, bash and flock. Programs that
// are started while it lives use it too (the environment says so).
class Podman
{
public:
    Podman();
    ~Podman(); // with all its containers
    // Empty when containers can be run here, else why not.
    const QString &problem() const { return m_problem; }
    static QString image() { return QStringLiteral("localhost/trainyard-test:1"); }
    // One that has sshd and ssh too; false when this computer has none to give.
    bool makeSshImage() const;
    static QString sshImage() { return QStringLiteral("localhost/trainyard-ssh:1"); }
    QString folder() const { return m_folder.path(); }

    // What podman says to this, output and errors; -1: it did not end in time.
    int run(const QStringList &arguments, QByteArray *said = nullptr) const;
    QStringList containers() const; // names, also of those that have ended

private:
    QTemporaryDir m_folder{QStringLiteral("/tmp/typXXXXXX")};
    QString m_problem;

    bool makeImage(const QString &name, const QStringList &programs) const;
};
