// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/diagnostic.h"
#include "model/protocol/caretinfo.h"

#include <QObject>

#include <functional>

QT_BEGIN_NAMESPACE
class QKeyEvent;
QT_END_NAMESPACE

namespace trainyard
{

class CodeView;
class HelpCard;
class Suggester;

// The editor's assistance for the job language: suggestions while typing, help, and jumps to definitions. It reads the
// present text, so it also works if the text cannot be parsed; names that the document defines are those of the last
// text that could be parsed.
class YamlAssist : public QObject
{
    Q_OBJECT
public:
    YamlAssist(CodeView *view, std::function<QList<Diagnostic>(qsizetype)> diagnosticsAt);
    // The newest parsed text. A null `job` keeps the names of the last one.
    void setSnapshot(const YamlDocument &document, const JobSpec *job, quint64 revision);

    void suggest(); // Ctrl+Space
    void showHelp(); // F1: of the caret's place
    void goToDefinition(); // F12
    void showUses(); // Shift+F12: all places of the name at the caret
    void showHint(const QString &sentence); // at the caret; goes with the next key, which does what it always does
    void closeAll();

Q_SIGNALS:
    void jumpRequested(const trainyard::ByteRange &range);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    bool handleKey(const QKeyEvent *event);
    void handleDwell(int position);
    void handlePointer(const QPoint &position, Qt::KeyboardModifiers modifiers);
    void showCard(qsizetype offset, bool asked);
    void showLink(qsizetype offset);
    void clearLink();
    std::optional<ByteRange> definitionAt(qsizetype offset) const;
    SuggestionSources sources() const;

    CodeView *m_view;
    std::function<QList<Diagnostic>(qsizetype)> m_diagnosticsAt;
    Suggester *m_suggester;
    HelpCard *m_card;
    YamlDocument m_document;
    std::optional<JobSpec> m_job;
    quint64 m_revision = 0; // of m_document
    ByteRange m_link;
};

} // namespace trainyard
