// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/contract/leadplan.h"
#include "engine/contract/taskfolder.h"

#include <QFile>
#include <QProcess>
#include <QString>
#include <QTemporaryDir>

#include <memory>
#include <optional>
#include <string>

// The real lead of an allocation in a folder of its own, with commands of Slurm that do what a test wants.
class LeadFixture
{
protected:
    bool prepare(); // before each test: the commands; srun runs the helper here
    void tidy();
    QString path(const QString &name) const { return m_home->filePath(name); }
    std::string tryFolder(int number, int task = 0) const
    {
        return path(QStringLiteral("runs/job/0/w-%1/%2").arg(task).arg(number)).toStdString();
    }
    static std::string uuidOf(int number) { return "00000000-0000-0000-0000-00000000000" + std::to_string(number); }
    bool writeProgram(const QString &name, const QByteArray &text) const;
    // An allocation with one task and this script, or several; of an array it is the second element.
    bool write(const std::string &script, std::int64_t budget, bool isArray = false);
    void start();
    bool waitForEnd(int ms = 60'000);
    bool hasFile(const QString &name) const
    {
        return QFile::exists(path(QStringLiteral("runs/job/allocations/a/") + name));
    }
    std::optional<trainyard::contract::LeadEnd> end(const QString &name = QStringLiteral("end")) const;
    int again(const QString &name = QStringLiteral("again")) const; // 0: never
    int status(int number) const; // of the try, as a shell reports it; -1: it has no record

    std::unique_ptr<QTemporaryDir> m_home;
    std::unique_ptr<QProcess> m_lead;
    trainyard::contract::LeadRetries m_rules;
    bool m_mayRetry = true; // the plan says how
    std::int64_t m_limitMs = 0; // of the job
    std::int64_t m_loginMs = 0; // of a login shell whose environment the tasks have; 0: theirs is clean
    int m_tasks = 1; // each with the script
};
