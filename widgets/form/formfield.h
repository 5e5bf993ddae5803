// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/base/diagnostic.h"
#include "model/yaml/yamlpath.h"
#include "widgets/form/formhelp.h"

#include <QHash>
#include <QPointer>
#include <QSet>
#include <QWidget>

QT_BEGIN_NAMESPACE
class QLabel;
class QTimer;
class QVBoxLayout;
QT_END_NAMESPACE

namespace trainyard
{

class FormContext;

// The problems of a field, below it, with the fixes as small buttons.
class FieldMessages : public QWidget
{
    Q_OBJECT
public:
    explicit FieldMessages(FormContext *context, QWidget *parent = nullptr);
    // The messages of one of the fields that share this place.
    void setMessages(const QObject *owner, const QList<Diagnostic> &diagnostics);
    // Clears the messages, and keeps the height until setMessages(), so that the widgets below stay in place.
    void hold();
    bool hasFocusOf(const QObject *owner) const; // a button of one of its messages has it

private:
    void rebuild();
    FormContext *m_context;
    QList<std::pair<const QObject *, QList<Diagnostic>>> m_all;
    QHash<const QWidget *, const QObject *> m_owners; // of the lines
    bool m_isHeld = false;
};

// One field of the form: it shows the value at a path of the document and turns what the user does into edits of it.
// Three layers: the document's value, what is being typed (pending), and the widget. A refresh never takes away what is
// being typed.
class FormField : public QWidget
{
    Q_OBJECT
public:
    FormField(FormContext *context, const YamlPath &path, QWidget *parent = nullptr);
    ~FormField() override;

    const YamlPath &path() const { return m_path; }
    // Commits what is pending at the old one, unless the context follows a value that has moved, then refreshes.
    void setPath(const YamlPath &path);
    virtual bool covers(const YamlPath &path) const;
    virtual void refresh() = 0;
    virtual void refreshNote() { } // only what it says of the document beside the value
    virtual void commitPending() { } // what was typed, for good
    virtual bool isTyping() const { return false; }
    virtual void commitTyped() { } // what can be written while the typing goes on
    virtual void leavePlace() { } // it stands for another value from now on
    virtual QWidget *end() const { return nullptr; } // to be seen together with what is written in now

    void setHelp(const QString &help); // a line under the field
    void setLabel(QLabel *label); // shows focus and problems with the field
    void setMessages(FieldMessages *messages); // instead of its own
    void showDiagnostics(const QList<Diagnostic> &diagnostics);
    void holdDiagnostics(); // says nothing of the present text, and keeps their room
    void setHighlighted(bool highlighted); // the caret is at its place
    bool isHighlighted() const { return m_highlighted; }

protected:
    // Puts the field's control on top of its help and messages, and follows its focus.
    void setControl(QWidget *control);
    void watchFocus(QWidget *widget);
    void watchFocus(QWidget *widget, const YamlPath &path);
    virtual void setError(bool error);
    FormContext *context() const { return m_context; }
    bool eventFilter(QObject *watched, QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    bool event(QEvent *event) override;

private:
    void showHelp(QWidget *at, FormHelp::Asked asked);
    FormContext *m_context;
    YamlPath m_path;
    QVBoxLayout *m_column;
    QWidget *m_control = nullptr;
    QSet<const QObject *> m_watched; // for the focus
    QLabel *m_help = nullptr;
    QPointer<QObject> m_label; // events come while it goes away: it is not a label any more then
    QPointer<FieldMessages> m_messages;
    QList<Diagnostic> m_diagnostics;
    bool m_isHeld = false;
    bool m_highlighted = false;
};

} // namespace trainyard
