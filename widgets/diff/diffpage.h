// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QList>
#include <QWidget>

class QComboBox;
class QLabel;
class QStackedLayout;
class QToolButton;

namespace trainyard
{

class DiffView;
class ElidedLabel;
class EmptyState;
class InfoBar;
class PageHead;
class SegmentedControl;

// Shows a document beside its saved file, its last run, or any run. It knows neither files nor the engine: it signals
// the choice, and the text is set from outside.
class DiffPage : public QWidget
{
    Q_OBJECT
public:
    struct Source {
        QString id;
        QString title; // "Saved file", "resnet #41"
        QString detail; // "succeeded, yesterday"
        friend bool operator==(const Source &, const Source &) = default;
    };
    explicit DiffPage(QWidget *parent = nullptr);

    void setName(const QString &name); // of the document
    QString name() const { return m_name; }
    QString title() const;
    void setSources(const QList<Source> &sources); // keeps the chosen one where it is still there
    void choose(const QString &id); // and says so
    QString chosen() const;
    void setOther(
        const QByteArray &text, const QString &note = {}); // of the chosen source; `note` says what is special
    void setNow(const QByteArray &text); // of the document
    void setError(const QString &sentence); // the chosen source cannot be read
    DiffView *view() const { return m_view; }

Q_SIGNALS:
    void sourceChosen(const QString &id); // answer with setOther() or setError()
    void backRequested();

private:
    void refresh();
    void updateCount();
    QString m_name;
    QList<Source> m_sources;
    QByteArray m_other, m_now;
    bool m_hasOther = false;
    PageHead *m_head;
    QComboBox *m_pick;
    InfoBar *m_bar;
    QLabel *m_count;
    QToolButton *m_next;
    QToolButton *m_previous;
    SegmentedControl *m_mode;
    ElidedLabel *m_oldTitle;
    ElidedLabel *m_newTitle;
    QWidget *m_body;
    QStackedLayout *m_stack;
    EmptyState *m_empty;
    DiffView *m_view;
};

} // namespace trainyard
