// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QJsonArray>
#include <QJsonObject>
#include <QStringList>
#include <QTemporaryDir>

// A Kubernetes cluster that is imitated: its kubectl is a script, the first one in PATH as long as this lives. It keeps
// what it is handed in folders, and says of it what the test has put there. Its context is called lab, its namespace ml
// and its queue research.
class FakeKubernetes
{
public:
    FakeKubernetes();
    ~FakeKubernetes();
    bool isThere() const { return m_isThere; }

    QString path(const QString &name) const { return m_folder.path() + QLatin1Char('/') + name; }
    // How it behaves: "silent", "forbidden", "not-found", "lose-answer", "late" (it answers nothing to what it is
    // handed, which is there after arrive()), "no-jobset", "no-pods" (and other things that the user may not),
    // "hide-nodes"; "pods" has the names of pods that are there without a JobSet, "repeats" has what it refuses with,
    // "current" the current context and, in a line of its own, its namespace, "contexts" has the names of those that
    // kubectl knows, and "logs/POD" what a pod has printed.
    bool write(const QString &name, const QByteArray &bytes = "x") const;
    QByteArray contents(const QString &name) const;
    // "created" and "deleted": the names of the sets that were.
    QByteArrayList linesOf(const QString &name) const;

    bool arrive() const; // what came late
    QStringList besides() const; // the sets of which a ConfigMap and a Secret are there
    QStringList sets() const; // that are there
    QByteArray manifest(const QString &set) const
    {
        return contents(QStringLiteral("sets/") + set + QStringLiteral("/manifest"));
    }
    // What the cluster says of the first pod of a set.
    bool show(const QString &set, const QJsonObject &status) const;
    bool run(const QString &set) const;
    bool finish(const QString &set, int status, const QString &reason = {}, const QJsonArray &conditions = {}) const;
    static QString began();
    static QJsonArray container(const QJsonObject &state);

private:
    QTemporaryDir m_folder;
    QByteArray m_path; // the one before
    bool m_isThere = false;
};
