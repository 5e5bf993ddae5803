// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/session.h"

#include <QIcon>
#include <QList>
#include <QObject>
#include <QString>
#include <QStringList>

#include <functional>
#include <optional>

class QAction;
class QWidget;

namespace trainyard
{

class DocumentTab;

// The counts of a document in the status line.
struct PageProblems {
    int errors = 0;
    int warnings = 0;
    bool isBeingChecked = false; // there may be others
};

// A job as it leaves the window: the text and a name for its file.
struct ExportedJob {
    QByteArray yaml;
    QString name;
};

// One tab of the window. It is the only interface of a page for the workbench, the session and the actions: a page type
// derives from it, wraps the widget that shows it, and defines here what the window shows and keeps of it. The widget
// itself does not know the window, so that it can be used and tested alone.
//
// A page belongs to its widget and goes with it. GUI thread only.
class Page : public QObject
{
    Q_OBJECT
public:
    enum class Leaving { Tab, Window, UnkeptWindow };
    enum class Answer { Saved, Discarded, Cancelled };

    explicit Page(QWidget *widget);
    QWidget *widget() const { return m_widget; }

    virtual QString title() const = 0;
    virtual QString tip() const; // of the tab; empty: the title
    virtual QIcon icon() const = 0; // of the tab; the mark of its state where it has one
    // A page with a dot in its tab, as in both cases, is not closed without a question.
    virtual bool isUnsaved() const { return false; }
    virtual bool isInNoFile() const { return false; } // although it is worth one
    virtual bool isTemporary() const { return false; } // the next page that is only looked at takes its place
    virtual void keep() { } // it is temporary no longer
    virtual QList<QAction *> actions() const { return {}; } // its own, for the Edit menu and the palette
    // The actions that write its contents to a file: beside the export of a document, and in the palette.
    virtual QList<QAction *> exports() const { return {}; }
    virtual QString statusText() const; // right when the page comes to the front
    virtual std::optional<PageProblems> problems() const { return std::nullopt; } // none: it has nothing to count
    virtual void focus(); // gives the keys to what they are for in this page

    // The document that Run and Preview are about in this page, or null.
    virtual DocumentTab *document() { return nullptr; }
    virtual QString jobUuid() const { return {}; } // of the job that it shows
    virtual QString jobGroup() const { return {}; } // of jobs that were submitted together, all of which it shows
    virtual QStringList chosenJobs() const { return {}; } // that are selected in a list of jobs
    virtual bool isFinishedRun() const { return false; }
    virtual QString file() const { return {}; } // in which the user keeps it, absolute; empty: in none
    virtual bool hasYaml() const { return false; } // whether exported() gives something
    // Nothing if there is no text, or if it cannot be masked; the page then says why.
    virtual std::optional<ExportedJob> exported(bool withSecrets);

    // Whether nothing is lost when it goes without a question. What the user is typing is committed first. A window
    // brings texts back at its next start, so that less is lost with it than with a tab, unless they could not be
    // written down.
    virtual bool canClose(Leaving) { return true; }
    // Asks what canClose() refuses to decide; `others` pages are asked after it. `answered` is not called when saving
    // fails.
    virtual void askToClose(Leaving how, int others, const std::function<void(Answer)> &answered);

    // The data that a later start needs to open it again; nothing: it is made again on request. See PageRegistry.
    virtual std::optional<SessionTab> place() const { return std::nullopt; }

Q_SIGNALS:
    void changed(); // title, tip, icon or unsaved
    void actionsChanged(); // what can be done with it is another now
    void statusTextChanged(const QString &text);
    void problemsChanged(int errors, int warnings);
    void edited(); // its place is another now
    void sayRequested(const QString &sentence, bool failed); // in its bar
    void savedRequested(const QString &sentence, const QString &path); // likewise; an empty sentence: it is saved

private:
    QWidget *m_widget;
};

} // namespace trainyard
