// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commandline.h"
#include "app/cli/console.h"
#include "app/cli/jobcommands.h"
#include "app/cli/listedwords.h"
#include "app/cli/session.h"
#include "app/cli/words.h"
#include "engine/client/settings.h"
#include "engine/client/webaddress.h"
#include "widgets/text/removaltexts.h"
#include "widgets/text/texts.h"

#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QStandardPaths>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::cli
{
namespace
{

QString textOf(const QJsonValue &value)
{
    if (value.isString()) {
        return value.toString();
    }
    const QByteArray list = QJsonDocument(QJsonArray{value}).toJson(QJsonDocument::Compact);
    return QString::fromUtf8(list.sliced(1, list.size() - 2));
}

bool isText(const QString &key) { return Settings::about(key).value("type"_L1) == "text"_L1; }

// Reads what the user types: a number, true, or a text; the items of a list, or the whole list in brackets. Where the
// items are fixed words, commas separate them as well as blanks do.
QJsonValue valueOf(const QString &key, const QStringList &words, const QJsonValue &present)
{
    const QString &text = words.constFirst();
    if (present.isArray() && !(words.size() == 1 && text.startsWith(u'['))) {
        static const QRegularExpression between(u"[,\\s]+"_s);
        return QJsonArray::fromStringList(
            Settings::about(key).contains("values"_L1) ? words.join(u' ').split(between, Qt::SkipEmptyParts) : words);
    }
    if (present.isString() || isText(key)) { // also of one that is not there yet
        return text;
    }
    const QJsonDocument parsed = QJsonDocument::fromJson(QByteArray("[" + text.toUtf8() + "]"));
    return parsed.array().size() == 1 ? parsed.array().first() : QJsonValue(text);
}

// A GPU may appear later, so an unknown one is not an error; but more often it is a mistake.
void warnOfUnknownGpus(const QJsonArray &items, const QList<HostInfo> &hosts)
{
    for (const QJsonValue &item : items) {
        const QString name = item.toString().section(u' ', 0, 0, QString::SectionSkipEmpty);
        const bool isThere = std::any_of(hosts.cbegin(), hosts.cend(), [&name](const HostInfo &host) {
            return std::any_of(host.gpus.cbegin(), host.gpus.cend(), [&](const GpuInfo &gpu) {
                const QString index = QString::number(gpu.index);
                return name.compare(gpu.uuid, Qt::CaseInsensitive) == 0 || name == QString(host.id + u':' + index)
                    || (host.id == "local"_L1 && name == index);
            });
        });
        if (!isThere) {
            errorLine(tr("No known host has the GPU %1 at the moment.").arg(name));
        }
    }
}

// The engine works in another folder, so a relative path is completed. The engine resolves ~/ itself.
QJsonValue withWholePath(const QJsonValue &command)
{
    QJsonArray words = command.toArray();
    const QString program = words.first().toString();
    if (!program.contains(u'/') || program.startsWith("~/"_L1)) {
        return command;
    }
    words.replace(0, QDir::cleanPath(QFileInfo(program).absoluteFilePath()));
    return words;
}

// It may be installed later, so that is not an error; but a notice that does not arrive is noticed late.
void warnOfMissingProgram(const QString &program)
{
    const QFileInfo file(program.startsWith("~/"_L1) ? QDir::homePath() + program.mid(1) : program);
    const bool isThere = program.contains(u'/') ? file.isFile() && file.isExecutable()
                                                : !QStandardPaths::findExecutable(program).isEmpty();
    if (!program.isEmpty() && !isThere) {
        errorLine(tr("There is no program %1 on this computer at the moment.").arg(program));
    }
}

// The effect of a limit for ended jobs on existing ones. The setting is valid even if this cannot be determined.
void sayRemovals(Session &session)
{
    const Result<RemovalOutlook> outlook = session.call<api::GetRemovals>({}, tr("Measuring the jobs ..."));
    if (!outlook) {
        return;
    }
    if (outlook->jobs == 0) {
        errorLine(tr("No ended job is due."));
        return;
    }
    errorLine(removalText(*outlook, QDateTime::currentMSecsSinceEpoch()) + u' '
        + tr("'trainyardctl ps is:due' lists them, 'trainyardctl star JOB' keeps one."));
}

// In the list of all, which people copy into reports.
QString shownInList(const QString &key, const QJsonValue &value)
{
    const bool isAddress = Settings::about(key).value("isAddress"_L1).toBool() && !value.toString().isEmpty();
    return isAddress ? withoutSecrets(QUrl(value.toString())) : textOf(value);
}

// Its purpose, in one sentence.
QString briefOf(const QString &key)
{
    const QString help = Settings::about(key).value("help"_L1).toString();
    const qsizetype end = help.indexOf(". "_L1);
    return end < 0 ? help : help.first(end + 1);
}

int reportOf(const Error &error, const QStringList &keys)
{
    if (error.code != "settings.unknown"_L1) {
        return report(error);
    }
    errorLine(errorText(error) + didYouMean(error.args.value("key"_L1).toString(), keys) + u' '
        + tr("'trainyardctl settings' lists all of them."));
    return exitUnusable;
}

struct SettingsValues {
    QStringList words;
    bool json = false, unset = false;
};
const CommandLine<SettingsValues> &settingsLine();

int runSettings(const SettingsValues &values)
{
    QStringList words = values.words;
    if (words.size() == 1 && words.constFirst().contains(u'=')) { // as other commands take it
        words = {words.constFirst().section(u'=', 0, 0), words.constFirst().section(u'=', 1)};
    }
    const bool unset = values.unset;
    if (unset && words.size() != 1) {
        return settingsLine().wrongUsage(tr("Give a KEY, or a KEY and a VALUE."));
    }
    if (words.size() == 2 && words.constLast() == "-"_L1 && isText(words.constFirst())) { // no other process sees it
        const Result<QByteArray> input = readInput(u"-"_s);
        if (!input) {
            return report(input.error());
        }
        words.last() = QString::fromUtf8(*input).trimmed();
    }
    Session session;
    if (const int status = session.connect(EngineClient::Start::IfNeeded); status != exitOk) {
        return status;
    }
    const Result<QJsonObject> all = session.call<api::GetSettings>({});
    if (!all) {
        return report(all.error());
    }
    const QString key = words.value(0);
    if (words.size() > 2 && !all->value(key).isArray()) {
        return settingsLine().wrongUsage(tr("Give a KEY, or a KEY and a VALUE."));
    }
    if (unset || words.size() >= 2) {
        QJsonValue value = unset ? QJsonValue(QJsonValue::Null) : valueOf(key, words.sliced(1), all->value(key));
        if (key == "notify.command"_L1) {
            value = withWholePath(value);
        }
        const Result<bool> done = session.call<api::SetSetting>({key, value});
        if (done && !unset && (key == "gpu.exclude"_L1 || key == "gpu.prefer"_L1 || key == "gpu.keepHours"_L1)) {
            warnOfUnknownGpus(value.toArray(), session.client().hosts());
        }
        if (done && key == "notify.command"_L1) {
            warnOfMissingProgram(value.toArray().first().toString());
        }
        if (done && key.startsWith("jobs.keep"_L1)) {
            sayRemovals(session);
        }
        return done ? exitOk : reportOf(done.error(), all->keys());
    }
    // One of a kind, such as storages.NAME, need not be there: then it has the default of its kind.
    const QJsonObject about = key.isEmpty() ? QJsonObject() : Settings::about(key);
    if (!key.isEmpty() && !all->contains(key) && about.isEmpty()) {
        return reportOf({u"settings.unknown"_s, {{u"key"_s, key}}}, all->keys());
    }
    const QJsonValue value = all->contains(key) ? all->value(key) : about.value("default"_L1);
    if (values.json) {
        outJson(QJsonDocument(key.isEmpty() ? *all : QJsonObject{{key, value}}));
    } else if (!key.isEmpty()) {
        outLine(textOf(value));
    } else {
        for (auto it = all->constBegin(); it != all->constEnd(); ++it) {
            outLine(it.key() + u" = "_s + shownInList(it.key(), it.value()));
            outLine(paint(Colour::Dim, u"    "_s + briefOf(it.key())));
        }
    }
    return exitOk;
}

const CommandLine<SettingsValues> &settingsLine()
{
    static const CommandLine<SettingsValues> line
        = CommandLine<SettingsValues>(u"settings"_s, tr("Show or change the settings of the engine"))
              .runs(runSettings, {u"[KEY [VALUE...]]"_s, 0, anyNumber, Word::Other, {}, {}, settingWords})
              .text(
                  tr("Without KEY, prints all settings, each with what it is for; with KEY, prints its value; with "
                     "VALUE, sets it. For a list, "
                     "each VALUE is an item; fixed words may also be given in one VALUE with commas between them. The "
                     "file engine.json in the configuration folder has the same keys. "
                     "'trainyardctl explain KEY' says more about one of them. A text is read from standard "
                     "input when VALUE is -, so that no other user of the computer sees it; the list of all settings "
                     "shows only the host of a web address."))
              .option(u"--unset"_s, &SettingsValues::unset, tr("restore the default"))
              .option(u"--json"_s, &SettingsValues::json, tr("print a JSON object"))
              .examples({u"trainyardctl settings stop.graceSeconds 60"_s,
                  u"trainyardctl settings storages.team_data /srv/data"_s,
                  u"trainyardctl settings gpu.keepHours '0 9:00-18:00 Mon-Fri' '1 22:00-6:00'"_s,
                  u"trainyardctl settings --unset storages.team_data"_s})
              .exits({{exitOk, tr("ok")}, {exitUnusable, tr("no such key, invalid value, or wrong usage")},
                  {exitNoEngine, tr("no engine")},
                  {exitRefused, tr("engine.json contains an error and is left as it is, or cannot be written")}});
    return line;
}

} // namespace

Command settingsCommand() { return settingsLine().command(); }

} // namespace trainyard::cli
