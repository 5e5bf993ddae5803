// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/template/pluginsteps.h"

#include "model/base/shellquote.h"
#include "model/protocol/plugins.h"
#include "model/template/pluginsteps_p.h"

#include <algorithm>

namespace trainyard
{

using namespace Qt::StringLiterals;
using namespace steps;

namespace
{

struct SshWishes {
    bool job = false, user = false;
    QString userType, userKey;
};

Value userOf(const Value &parameters)
{
    const Value *user = parameters.find(u"userssh"_s);
    return user ? *user : Value();
}

SshWishes sshWishes(const Value &parameters, bool gang)
{
    SshWishes wishes;
    wishes.job = gang && flagAt(parameters, u"jobssh"_s);
    wishes.userType = textAt(userOf(parameters), u"type"_s);
    wishes.userKey = textAt(userOf(parameters), u"value"_s);
    wishes.user = wishes.userType == "system"_L1 || (wishes.userType == "custom"_L1 && !wishes.userKey.isEmpty());
    return wishes;
}

} // namespace

QString sshStep(const Value &parameters, bool gang, const Value &written)
{
    const SshWishes wishes = sshWishes(parameters, gang);
    if (!wishes.job && !wishes.user) {
        return {};
    }
    const double wished = textAt(parameters, u"sshbarrierTimeout"_s).toDouble();
    const double minutes = wished > 0 ? qMin(wished, 7.0 * 24 * 60) : 30;
    return assigned(u"ssh_job"_s, wishes.job ? u"1"_s : u"0"_s)
        + assigned(u"ssh_wait"_s, wishes.job && flagAt(parameters, u"sshbarrier"_s) ? u"1"_s : u"0"_s)
        + assigned(u"ssh_seconds"_s, QString::number(qMax(1, qRound(minutes * 60))))
        + assigned(u"ssh_user_type"_s, wishes.user ? wishes.userType : QString())
        + assigned(u"ssh_user_key"_s, wishes.userKey.trimmed())
        + assigned(u"ssh_user_secret"_s, namesSecret(textAt(userOf(written), u"value"_s)) ? u"1"_s : u"0"_s)
        + body(u"ssh"_s);
}

bool wantsSshKey(const JobSpec &job)
{
    const auto wants = [&](const Value &parameters) {
        const SshWishes wishes = sshWishes(parameters, job.gangAllocation);
        return wishes.job || wishes.user;
    };
    return std::any_of(job.plugins.cbegin(), job.plugins.cend(), [&](const PluginEntry &entry) {
        return entry.plugin == "ssh"_L1 && wants(entry.parameters);
    }) || std::any_of(job.prerequisites.cbegin(), job.prerequisites.cend(), [&](const Prerequisite &item) {
        return pluginOf(item, false) == std::optional(u"ssh"_s) && wants(item.all);
    });
}

bool hasPlugin(const JobSpec &job, const QString &plugin)
{
    return std::any_of(job.plugins.cbegin(), job.plugins.cend(),
               [&](const PluginEntry &entry) { return entry.plugin == plugin; })
        || std::any_of(job.prerequisites.cbegin(), job.prerequisites.cend(),
            [&](const Prerequisite &item) { return pluginOf(item, false) == std::optional(plugin); });
}

QString tensorboardStep(const Value &parameters, const Value &written)
{
    const Value *places = written.find(u"logdir"_s);
    if (places && anyNamesSecret(*places)) {
        return commonBody()
            + u"__ty_say \"No TensorBoard: its parameter logdir has a secret, which would stand in its arguments. Name "
              "the folder in parameters.\"\n__ty_tell '[ERROR] SERVICE tensorboard failed'\n"_s;
    }
    const Value *folders = parameters.find(u"logdir"_s);
    const Value::Map entries = folders && folders->asMap() ? *folders->asMap() : Value::Map{};
    QStringList specification;
    for (const auto &[name, path] : entries) {
        if (!path.isNull()) {
            specification.append(entries.size() == 1 ? path.toText() : QString(name + u':' + path.toText()));
        }
    }
    if (specification.isEmpty() && folders && folders->asString()) {
        specification.append(*folders->asString());
    }
    if (specification.isEmpty()) {
        return {};
    }
    const Value *port = parameters.find(u"port"_s);
    const qint64 number = port && port->asInt() ? *port->asInt() : 0;
    return assigned(u"board_port"_s, QString::number(number > 0 && number < 65536 ? number : 0))
        + arrayOf(u"board_folders"_s,
            {specification.size() == 1 ? u"--logdir"_s : u"--logdir_spec"_s, specification.join(u',')})
        + body(u"tensorboard"_s);
}

QList<JobStorage> storagesOf(const JobSpec &job)
{
    QList<JobStorage> storages;
    const auto add = [&storages](const QString &name, QString place, bool readOnly) {
        if (name.isEmpty()) {
            return;
        }
        if (place.isEmpty()) {
            place = u"/mnt/"_s + name;
        }
        QString variable = u"TRAINYARD_STORAGE_"_s;
        for (const QChar c : name) {
            variable += c.unicode() < 128 && c.isLetterOrNumber() ? c.toUpper() : QChar(u'_');
        }
        const JobStorage storage{name, place.startsWith(u'/') ? place : u'/' + place, variable, readOnly};
        if (!storages.contains(storage)) {
            storages.append(storage);
        }
    };
    if (const Value *list = job.extras.find(u"storages"_s); list && list->asList()) {
        for (const Value &item : *list->asList()) {
            const Value *readOnly = item.find(u"readOnly"_s);
            add(textAt(item, u"name"_s), textAt(item, u"mountPath"_s),
                readOnly && readOnly->asBool() && *readOnly->asBool());
        }
        return storages;
    }
    for (const PluginEntry &entry : job.plugins) {
        if (entry.plugin == "teamwise_storage"_L1) {
            const QStringList names = textsAt(entry.parameters, u"storageConfigNames"_s);
            for (const QString &name : names) {
                add(name, {}, false);
            }
        }
    }
    return storages;
}

QString storagesStep(const QList<JobStorage> &storages, const QMap<QString, QString> &folders)
{
    if (storages.isEmpty()) {
        return {};
    }
    QString text = body(u"storages"_s);
    for (const JobStorage &storage : storages) {
        text += u"__ty_storage "_s + shellWord(storage.name) + u' ' + storage.variable + u' '
            + shellWord(folders.value(storage.name)) + u' ' + shellWord(storage.place) + u'\n';
    }
    return text;
}

QString environmentStep(const QString &command, const QString &setBy)
{
    return assigned(u"environment"_s, command) + assigned(u"environment_set_by"_s, setBy) + body(u"environment"_s);
}

QString modulesStep(const QStringList &modules, const QString &setBy)
{
    return modules.isEmpty()
        ? QString()
        : arrayOf(u"modules"_s, modules) + assigned(u"modules_set_by"_s, setBy) + body(u"modules"_s);
}

QString environmentOf(const JobSpec &job)
{
    const Value *own = job.extras.find(u"trainyard"_s);
    return own ? textAt(*own, u"environment"_s).trimmed() : QString();
}

QStringList metricFilesOf(const JobSpec &job)
{
    const Value *own = job.extras.find(u"trainyard"_s);
    const Value *all = own ? own->find(u"metrics"_s) : nullptr;
    QStringList patterns;
    if (all && all->asList()) {
        for (const Value &pattern : *all->asList()) {
            patterns.append(pattern.toText());
        }
    }
    return patterns;
}

int holdMinutesOf(const JobSpec &job)
{
    constexpr int most = 7 * 24 * 60;
    const Value *own = job.extras.find(u"trainyard"_s);
    return own ? int(qBound(0.0, textAt(*own, u"holdAfterFailureMinutes"_s).toDouble(), double(most))) : 0;
}

bool copiesWork(const JobSpec &job)
{
    const Value *own = job.extras.find(u"trainyard"_s);
    const Value *said = own ? own->find(u"copyWork"_s) : nullptr;
    return !said || !said->asBool() || *said->asBool();
}

QList<std::pair<QString, QString>> variablesOf(const JobSpec &job)
{
    const Value *own = isStrict(job) ? nullptr : job.extras.find(u"trainyard"_s);
    const Value *all = own ? own->find(u"variables"_s) : nullptr;
    QList<std::pair<QString, QString>> variables;
    if (all && all->asMap()) {
        for (const auto &[name, value] : *all->asMap()) {
            variables.append({name, value.isNull() ? QString() : value.toText()});
        }
    }
    return variables;
}

bool isStrict(const JobSpec &job)
{
    const Value *own = job.extras.find(u"trainyard"_s);
    const Value *strict = own ? own->find(u"strict"_s) : nullptr;
    return strict && strict->asBool() && *strict->asBool();
}

qint64 minSucceededOf(const JobSpec &job, const TaskRole &role)
{
    return isStrict(job) ? role.completion.minSucceededInstances.value_or(role.instances)
                         : role.effectiveMinSucceeded();
}

QStringList shellWords(const QString &text)
{
    QStringList words;
    QString word;
    bool inWord = false;
    QChar quote;
    for (qsizetype i = 0; i < text.size(); ++i) {
        const QChar c = text.at(i);
        if (!quote.isNull()) {
            if (c == quote) {
                quote = QChar();
            } else if (c == u'\\' && quote == u'"' && i + 1 < text.size()) {
                word += text.at(++i);
            } else {
                word += c;
            }
        } else if (c == u'"' || c == u'\'') {
            quote = c;
            inWord = true;
        } else if (c == u'\\' && i + 1 < text.size()) {
            word += text.at(++i);
            inWord = true;
        } else if (c.isSpace()) {
            if (inWord) {
                words.append(word);
            }
            word.clear();
            inWord = false;
        } else {
            word += c;
            inWord = true;
        }
    }
    if (inWord) {
        words.append(word);
    }
    return words;
}

} // namespace trainyard
