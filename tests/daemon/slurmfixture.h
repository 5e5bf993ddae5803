// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/helpers/enginefixture.h"
#include "tests/helpers/slurmcluster.h"

// An engine with a real Slurm as its target "slurm:lab" (of the partition main), and with further targets.
class SlurmFixture
{
public:
    // `targets`: by their names, the options of sbatch. `more`: further settings.
    explicit SlurmFixture(
        SlurmCluster &slurm, const QMap<QString, QString> &targets = {}, const QJsonObject &more = {});
    ~SlurmFixture(); // nothing of it is left in the queue

    bool open() { return engine.open(); }
    QString submit(const QByteArray &yaml, const QString &target = QStringLiteral("slurm:lab"));
    bool runs(const QString &uuid);
    bool says(const QString &uuid, const QByteArray &word, int index = 0, int attempt = -1); // its role "worker"
    bool ends(const QString &uuid, trainyard::State state, int ms = 60'000); // tells all that is known, if not
    bool touch(const QString &name) const; // in the work folder
    QByteArray queue(const QString &format = QStringLiteral("%T")) const;
    QByteArrayList submissions() const; // ids of all allocations that were made
    bool waitForSubmissions(int count);
    // Something else in the place of sbatch: a shell script, in which $SBATCH is the real one.
    bool replaceSubmit(const QByteArray &script);
    // Programs that batch scripts and their steps find before all others, also those of Slurm: shell scripts, in which
    // $bin is their folder, the one of file().
    bool addOnNodes(const QMap<QString, QByteArray> &programs);
    QByteArray file(const QString &name) const
    {
        return EngineFixture::contents(engine.path(QStringLiteral("bin/") + name));
    }

    EngineFixture engine;

private:
    SlurmCluster &m_slurm;
    QByteArray m_path;
};
