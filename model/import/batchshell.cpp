// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/import/batchshell.h"

#include "model/template/pluginsteps.h"

#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace trainyard::batch
{

Shell shellOf(const QString &interpreter)
{
    static const QRegularExpression form(u"(?:^|/)((?:ba|da|k|z)?sh)$"_s);
    static const QRegularExpression letters(u"^-[A-Za-z]+$"_s), option(u"^[a-z]+$"_s);
    const QString settable = u"abefhkmnptuvxBCEHPT"_s; // the others are for how a shell is called
    const QStringList words = shellWords(interpreter);
    Shell shell;
    qsizetype i = 0;
    while (i < words.size() && shell.name.isEmpty()) {
        shell.name = form.match(words.at(i++)).captured(1);
    }
    QString flags;
    QStringList options;
    for (; i < words.size() && words.at(i).startsWith(u'-'); ++i) {
        if (!letters.match(words.at(i)).hasMatch()) { // "--login"
            continue;
        }
        const QString word = words.at(i).sliced(1);
        std::copy_if(word.cbegin(), word.cend(), std::back_inserter(flags),
            [&settable](QChar letter) { return settable.contains(letter); });
        if (word.contains(u'o') && i + 1 < words.size() && option.match(words.at(i + 1)).hasMatch()) {
            options.append(words.at(++i));
        }
    }
    if (!flags.isEmpty()) {
        shell.settings = "set -" + flags.toLatin1();
    }
    for (const QString &each : std::as_const(options)) {
        shell.settings += (shell.settings.isEmpty() ? "set -o " : " -o ") + each.toLatin1();
    }
    return shell;
}

QList<ForeignMark> foreignMarks(const Script &script)
{
    static const QRegularExpression form(u"^#(?:PBS|BSUB|COBALT|PJM|\\$)(?=\\s+-)"_s);
    QList<ForeignMark> marks;
    for (const Line &line : script.lines) {
        if (line.isText || line.isInside || !line.text.startsWith('#')) {
            continue;
        }
        const QString mark = form.match(QString::fromUtf8(line.text)).captured();
        const bool isKnown
            = std::any_of(marks.cbegin(), marks.cend(), [&mark](const ForeignMark &each) { return each.mark == mark; });
        if (!mark.isEmpty() && !isKnown) {
            marks.append({mark, line.at});
        }
    }
    return marks;
}

} // namespace trainyard::batch
