// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/common/tokens.h"

#include <QElapsedTimer>
#include <QPointer>
#include <QWidget>

#include <chrono>

class QHBoxLayout;
class QLabel;
class QPushButton;
class QTimer;
class QToolButton;

namespace trainyard
{

// One line that says what is the matter, with what can be done about it. Inline, never modal. When it is answered and
// goes, the keys are again where they were before.
class InfoBar : public QWidget
{
    Q_OBJECT
public:
    enum class Kind { Info, Waits, Waiting, Failed, Succeeded }; // Waits: with the shape of a job that waits
    explicit InfoBar(QWidget *parent = nullptr);

    // Replaces text and actions; shows the bar. `text` is escaped and may hold <b> and <br>;
    // no other markup is drawn.
    void show(Kind kind, const QString &text);
    void setText(const QString &text); // keeps the actions: for progress
    // The topic of the message, so that it can be withdrawn when it is no longer true; none after show().
    void setTopic(const QString &topic) { m_topic = topic; }
    bool isOf(const QString &topic) const { return m_topic == topic; }
    void hideIfOf(const QString &topic);
    QPushButton *addAction(const QString &label); // connect to clicked
    // The Tab key reaches its parts after `before`, in their order, also those that are added later. Returns the
    // present last part. Code that makes the bar before the widgets above it calls this.
    QWidget *comeAfter(QWidget *before);
    void setClosable(bool closable);
    // A state that lasts until it is withdrawn, and not the answer to an action of the user; not after show().
    void setLasting(bool on) { m_lasts = on; }
    // Another page came to the front. Unless it lasts or can be answered, it goes, at once when it has been there for
    // so long that it is read, else a while later.
    void goWhenRead(std::chrono::milliseconds after);
    // What succeeded needs no answer: it goes by itself, unless it has an action that must stay, and not from under the
    // pointer or the keys.
    enum class Actions { Stay, Go };
    void goSoon(std::chrono::milliseconds after = std::chrono::seconds(8), Actions actions = Actions::Stay);
    // Numbers of jobs ("#41") and keys of settings in the text are links: jobClicked(), settingClicked().
    void setJobLinks(bool on);
    void setBoxed(bool boxed); // with a border and a radius, for inside of a page
    QString text() const;
    Kind kind() const { return m_kind; }

Q_SIGNALS:
    void closed();
    void jobClicked(qint64 number);
    void settingClicked(const QString &key);

protected:
    void paintEvent(QPaintEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override; // of the text: it has another width
    void hideEvent(QHideEvent *event) override;

private:
    bool staysUntilAnswered() const;
    void fitText();
    Kind m_kind = Kind::Info;
    bool m_boxed = false;
    bool m_jobLinks = false;
    bool m_lasts = false;
    QElapsedTimer m_since; // it was shown
    QString m_topic;
    QString m_said; // without links
    QLabel *m_text;
    QHBoxLayout *m_actions;
    QToolButton *m_close;
    QTimer *m_going;
    Actions m_goingActions = Actions::Stay;
    QPointer<QWidget> m_keysBefore; // the widget that had the focus before a part of the bar took it
};

} // namespace trainyard
