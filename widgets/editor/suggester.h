// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/protocol/suggestions.h"

#include <QObject>
#include <QRect>

#include <functional>

QT_BEGIN_NAMESPACE
class QKeyEvent;
QT_END_NAMESPACE

namespace trainyard
{

class CodeView;
class SuggestPopup;

// The list of suggestions at the caret of a text. It opens while the user types and on request, handles the keys that
// choose from it, and writes the choice. Its creator supplies the suggestions. GUI thread only.
class Suggester : public QObject
{
    Q_OBJECT
public:
    // The suggestions for the caret. The text is not copied, so this is for immediate use only.
    using Source = std::function<Suggestions(const QByteArray &text, qsizetype caret)>;
    Suggester(CodeView *view, Source source);

    void suggest(); // Ctrl+Space
    void hide();
    bool isOpen() const;
    QRect lineRect(qsizetype offset) const; // on the screen
    QByteArray text() const; // not a copy: for the moment only

Q_SIGNALS:
    void opened(); // or another list is shown

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    enum class Ask { Typed, Refresh, Asked };
    void update(Ask ask);
    void updateLater(Ask ask);
    void accept();
    bool isPopupKey(const QKeyEvent *event) const;
    bool handleKey(const QKeyEvent *event);

    CodeView *m_view;
    Source m_source;
    SuggestPopup *m_popup;
    Suggestions m_suggestions;
    quint64 m_suggestedFor = 0; // revision of the text
    bool m_pending = false; // an update is on its way
    bool m_accepting = false;
};

} // namespace trainyard
