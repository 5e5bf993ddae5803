// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/yaml/yamledit.h"
#include "widgets/form/formfield.h"

#include <QAbstractSpinBox>
#include <QDeadlineTimer>
#include <QStringList>
#include <QVariant>

#include <functional>
#include <optional>

QT_BEGIN_NAMESPACE
class QCheckBox;
class QComboBox;
class QLineEdit;
class QPlainTextEdit;
QT_END_NAMESPACE

namespace trainyard
{

// When a field writes what was typed: while the keys go on, after they have rested a while, or for good, because the
// field is left or the document is saved, run or closed.
enum class Commit { Pause, Rest, Leave };

// A text that is too long for it is shown from its beginning unless the user types in it.
void showBeginning(QLineEdit *edit);

// A field whose text is committed a moment after a key, or when it is left.
class TypedField : public FormField
{
    Q_OBJECT
public:
    using FormField::FormField;
    void commitPending() override;
    void commitTyped() override;
    bool isTyping() const override { return m_pending; }
    void leavePlace() override { m_showsSent = false; }
    bool isPending() const { return m_pending || (m_sent > 0 && m_showsSent); }

protected:
    void typed(); // something was typed
    void dropPending() { m_pending = false; }
    void setPending();
    virtual void commit(Commit when) = 0;
    // Sends edits off. Until they are in the document the field keeps what it shows. What is refused stays at its place
    // with the reason, and where its place has gone, a notice keeps what was typed.
    void send(const QList<edit::Op> &ops);
    virtual QVariant typedState() const; // to be shown again when it is refused; invalid: it is hidden
    QString textToShow() const; // what was refused at its place, else the text that the document has there

private:
    void commitNow(Commit when);
    QString textInField() const;
    int m_sent = 0;
    bool m_showsSent = false; // the field still stands for the place of what was sent
    QTimer *m_timer = nullptr; // a pause of the keys, or as much as may pass while they go on
    QTimer *m_rest = nullptr;
    QDeadlineTimer m_deadline;
    bool m_pending = false;
    YamlPath m_within; // the part of the document that it belonged to when the typing began
    int m_followedThen = 0; // the context
    bool m_committing = false;
};

// A line (or a few lines) of text. Removed from the document when emptied, unless it must be there.
class TextField : public TypedField
{
    Q_OBJECT
public:
    enum class Empty { Remove, Keep };
    TextField(FormContext *context, const YamlPath &path, const QString &placeholder = {}, Empty empty = Empty::Remove,
        QWidget *parent = nullptr);
    void refresh() override;
    QLineEdit *edit() const { return m_edit; }
    void setPassword(bool password);
    // Writes another text than the field's path says: the edits for it, none to refuse it.
    void setWriter(std::function<QList<edit::Op>(const QString &text)> writer) { m_writer = std::move(writer); }

protected:
    void commit(Commit when) override;

private:
    QLineEdit *m_edit;
    Empty m_empty;
    std::function<QList<edit::Op>(const QString &)> m_writer;
};

class TextAreaField : public TypedField
{
    Q_OBJECT
public:
    TextAreaField(FormContext *context, const YamlPath &path, const QString &placeholder, QWidget *parent = nullptr);
    void refresh() override;
    QPlainTextEdit *edit() const { return m_edit; }

protected:
    void commit(Commit when) override;

private:
    QPlainTextEdit *m_edit;
};

// A spin box that can be empty (then the default is its placeholder) and can show whatever text the document has.
class NumberBox : public QAbstractSpinBox
{
    Q_OBJECT
public:
    explicit NumberBox(QWidget *parent = nullptr);
    void setText(const QString &text);
    QString text() const;
    void setDefault(qint64 value, const QString &shown = {});
    void setRange(qint64 least, qint64 most);
    // A word instead of a number: shown, accepted, and passed over by the steps.
    void setWords(const QList<std::pair<qint64, QString>> &words);
    std::optional<qint64> value() const; // of the text, the default when it is empty
    QString shown(qint64 value) const;
    QLineEdit *edit() const { return lineEdit(); }
    void setCharacters(int characters);
    void setParser(std::function<std::optional<qint64>(const QString &)> parse, std::function<QString(qint64)> format,
        qint64 step);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

Q_SIGNALS:
    void stepped();
    void typed();

protected:
    void stepBy(int steps) override;
    StepEnabled stepEnabled() const override;
    QValidator::State validate(QString &, int &) const override { return QValidator::Acceptable; }
    void wheelEvent(QWheelEvent *event) override;

private:
    std::function<std::optional<qint64>(const QString &)> m_parse;
    std::function<QString(qint64)> m_format;
    QList<std::pair<qint64, QString>> m_words;
    qint64 m_default = 0;
    qint64 m_least = 0;
    qint64 m_most = std::numeric_limits<int>::max();
    qint64 m_step = 1;
    int m_characters = 3;
};

class NumberField : public TypedField
{
    Q_OBJECT
public:
    NumberField(FormContext *context, const YamlPath &path, QWidget *parent = nullptr);
    void refresh() override;
    void leavePlace() override;
    NumberBox *box() const { return m_box; }
    // Further edits that go with a change of the number, in the same undo step.
    void setCompanions(std::function<QList<edit::Op>(qint64 value)> companions)
    {
        m_companions = std::move(companions);
    }
    // The text to show for a value of the document (memory in GiB); the box's own format by default.
    std::optional<qint64> documentValue() const;

protected:
    void commit(Commit when) override;

private:
    NumberBox *m_box;
    bool m_isBeingTyped = false; // until Return, or until the field is left
    std::function<QList<edit::Op>(qint64)> m_companions;
};

// MiB in the document, "8 GiB" for people; parseMemory() reads it.
QString formatMemory(qint64 mebibytes);

// A choice with free text: names that the document defines, or others.
class ChoiceField : public TypedField
{
    Q_OBJECT
public:
    ChoiceField(FormContext *context, const YamlPath &path, const QString &placeholder, QWidget *parent = nullptr);
    void setChoices(std::function<QStringList()> choices) { m_choices = std::move(choices); }
    // An entry at the end of the list that does something else than choosing a name.
    void setAction(const QString &text, std::function<void()> action);
    // An entry at the head that takes the key away.
    void setNone(const QString &text) { m_none = text; }
    void refresh() override;
    QComboBox *combo() const { return m_combo; }

protected:
    void commit(Commit when) override;

private:
    QComboBox *m_combo;
    std::function<QStringList()> m_choices;
    QString m_none;
    QString m_actionText;
    std::function<void()> m_action;
};

// One of a few words of the protocol, each with what people read. The first one is the default and removes the key.
class WordField : public FormField
{
    Q_OBJECT
public:
    WordField(FormContext *context, const YamlPath &path, const QList<std::pair<QString, QString>> &words,
        QWidget *parent = nullptr);
    void refresh() override;
    QComboBox *combo() const { return m_combo; }
    // Further edits that go with a choice, in the same undo step.
    void setCompanions(std::function<QList<edit::Op>(const QString &word)> companions)
    {
        m_companions = std::move(companions);
    }

private:
    QComboBox *m_combo;
    QList<std::pair<QString, QString>> m_words;
    std::function<QList<edit::Op>(const QString &)> m_companions;
};

class CheckField : public FormField
{
    Q_OBJECT
public:
    CheckField(
        FormContext *context, const YamlPath &path, const QString &text, bool byDefault, QWidget *parent = nullptr);
    void refresh() override;
    QCheckBox *box() const { return m_box; }

private:
    QCheckBox *m_box;
    bool m_default;
};

} // namespace trainyard
