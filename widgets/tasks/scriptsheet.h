// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/textrange.h"

#include <QHash>
#include <QList>
#include <QObject>
#include <QStringList>

namespace trainyard
{

class CodeOverlay;
class CodeView;
class YamlDocument;
struct ComposedRole;
struct ScriptPart;

// The positions of a script's parts in the text of the job: lines from 1, 0 for parts that are not in it. Pure.
struct PartOrigins {
    QHash<QString, qsizetype> prerequisites;
    QHash<QString, QString> types; // of the same
    qsizetype commands = 0;
    QString role;
};
PartOrigins partOrigins(const YamlDocument &document, const QString &role);

// The script of a task in a view: the parts that run, each below a bar that names it, or every line. Values that are
// filled in are marked; secrets are shown as dots with their names.
class ScriptSheet : public QObject
{
    Q_OBJECT
public:
    ScriptSheet(CodeView *view, QObject *parent);
    // `composed` is the role without its secrets; null where it is not known.
    void show(const QByteArray &script, const ComposedRole *composed, const PartOrigins &origins,
        bool wantsEveryLine = false);
    bool hasParts() const { return m_hasParts; }
    bool hasFilledValues() const { return m_hasFilled; }
    void setAskedSecrets(const QStringList &names) { m_asked = names; }
    QString tipAt(const QPoint &place) const; // of the secret there, in the viewport; else empty
    void jumpTo(const QString &step); // of a prerequisite; empty: to the commands

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void showParts(const QList<ScriptPart> &parts, const PartOrigins &origins);
    void number();
    void leaveBar(qsizetype caret);
    void markValues(const QList<ScriptPart> &parts, const ComposedRole *composed);

    CodeView *m_view;
    CodeOverlay *m_overlay;
    QByteArray m_script;
    QList<qsizetype> m_starts; // of the bars in the text shown; empty: it is the script itself
    qsizetype m_caretLine = 0;
    QStringList m_asked;
    bool m_hasParts = false;
    bool m_hasFilled = false;
};

} // namespace trainyard
