// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/legacyfuzz.h"

#include "model/protocol/jobdocument.h"
#include "model/protocol/legacy.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <cstdio>
#include <cstdlib>

using namespace trainyard;
using namespace Qt::StringLiterals;

namespace legacyfuzz
{

namespace
{

void require(bool holds, const char *what)
{
    if (!holds) {
        std::fprintf(stderr, "does not hold: %s\n", what);
        std::abort();
    }
}
#define REQUIRE(condition) require(condition, #condition)

void checkRanges(const QList<Diagnostic> &list, qsizetype size)
{
    for (const Diagnostic &d : list) {
        REQUIRE(!d.code.isEmpty());
        REQUIRE(0 <= d.at.begin && d.at.begin <= d.at.end && d.at.end <= size);
    }
}

// QJsonValue::toString() drops a byte order mark at the beginning of a string without escapes; the import keeps it.
QString withoutMark(const QString &text) { return text.startsWith(QChar(0xFEFF)) ? text.mid(1) : text; }

// Where the old text is JSON for everybody, what it says arrives unchanged.
void compare(const QByteArray &bytes, const JobSpec &job)
{
    const QJsonDocument json = QJsonDocument::fromJson(bytes);
    if (!json.isObject()) {
        return;
    }
    const QJsonArray roles = json["taskRoles"_L1].toArray();
    if (roles.size() != job.taskRoles.size()) {
        return; // some were no roles, which was reported
    }
    for (qsizetype i = 0; i < roles.size(); ++i) {
        const QJsonObject old = roles.at(i).toObject();
        const TaskRole &role = job.taskRoles.at(i);
        const QJsonValue command = old.value("command"_L1);
        if (command.isString() && !command.toString().contains("PAI_"_L1) && command.toString().isValidUtf16()) {
            REQUIRE(role.commands.size() == 1 && withoutMark(role.commands.first()) == withoutMark(command.toString()));
        }
        const double tasks = old.value("taskNumber"_L1).toDouble(1);
        if (tasks >= 1 && tasks <= 1000 && tasks == qint64(tasks)) {
            REQUIRE(role.instances == qint64(tasks));
        }
    }
}

} // namespace

void import(const QByteArray &bytes)
{
    const bool recognised = isLegacyJob(bytes);
    const LegacyVerdict verdict = checkLegacyJob(bytes);
    checkRanges(verdict.refusals, bytes.size());
    checkRanges(verdict.syntax, bytes.size());
    const JobImport result = importLegacyJob(bytes);
    checkRanges(result.report, bytes.size());
    REQUIRE(recognised || result.yaml.isEmpty());
    if (result.yaml.isEmpty()) {
        REQUIRE(result.hasErrors());
        return;
    }
    REQUIRE(importLegacyJob(bytes).yaml == result.yaml);
    const ParseOutcome outcome = parseJob(result.yaml);
    REQUIRE(outcome.document.isWellFormed());
    REQUIRE(!isLegacyJob(result.yaml));
    if (outcome.spec) {
        compare(bytes, *outcome.spec);
    }
}

} // namespace legacyfuzz
