// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/log/logpane.h"

#include "widgets/common/emptystate.h"
#include "widgets/common/icons.h"
#include "widgets/common/infobar.h"
#include "widgets/common/labels.h"
#include "widgets/common/searchfield.h"
#include "widgets/common/segmentedcontrol.h"
#include "widgets/common/style.h"
#include "widgets/log/logsaver.h"
#include "widgets/text/formats.h"

#include <QAction>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLocale>
#include <QMenu>
#include <QPushButton>
#include <QStackedLayout>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace trainyard
{
namespace
{
constexpr int leastWidth = 240; // what it shows is read

QToolButton *toolFor(QAction *action, QWidget *parent)
{
    auto *button = new QToolButton(parent);
    button->setDefaultAction(action);
    button->setAutoRaise(true);
    button->setIconSize({16, 16});
    button->setToolButtonStyle(Qt::ToolButtonIconOnly);
    button->setAccessibleName(action->text());
    return button;
}
} // namespace

LogPane::LogPane(QWidget *parent)
    : QWidget(parent), m_title(new QToolButton), m_try(new QToolButton), m_more(new QToolButton),
      m_streams(new SegmentedControl({tr("Both"), tr("Out"), tr("Err")})), m_searchRow(new Ground(Colour::Surface)),
      m_searchField(new SearchField(SearchField::Kind::Search, tr("Find in the log"))), m_pattern(new QToolButton),
      m_case(new QToolButton), m_saveBar(new InfoBar), m_view(new LogView), m_empty(new EmptyState)
{
    const auto action
        = [this](const char *name, const QString &iconName, const QString &text, const QString &tip, bool checkable) {
              auto *a = new QAction(icon(iconName), text, this);
              a->setObjectName(QLatin1String(name));
              a->setToolTip(plainTip(tip));
              a->setStatusTip(tip);
              a->setCheckable(checkable);
              addAction(a);
              return a;
          };
    m_find = action(
        "logFind", QStringLiteral("search"), tr("Find in the log"), tr("Find in the whole log (Ctrl+F)"), false);
    m_find->setShortcut(QKeySequence::Find);
    m_follow = action(
        "logFollow", QStringLiteral("follow"), tr("Follow"), tr("Follow output (scrolling up stops following)"), true);
    m_follow->setChecked(true);
    m_times = action("logTimes", QStringLiteral("clock"), tr("Times"), tr("Show when each line was written"), true);
    m_times->setChecked(true);
    m_runtime = action("logRuntime", QStringLiteral("settings"), tr("Preparation"),
        tr("Show the runtime messages: prerequisites, plugins, the end of the task"), true);
    m_wrap = action("logWrap", QStringLiteral("wrap"), tr("Wrap"), tr("Wrap long lines"), true);
    m_error = action("logError", QStringLiteral("error"), tr("First error"),
        tr("Jump to the first line that tells of an error"), false);
    m_save = action(
        "logSave", QStringLiteral("download"), tr("Save the log as…"), tr("Save all that is shown to a file"), false);
    m_external = action("logOpen", QStringLiteral("external"), tr("Open in the editor"),
        tr("Open the log file with the program for text files"), false);

    auto *head = new Ground(Colour::Surface);
    m_head = head;
    head->setBorders(Qt::BottomEdge);
    head->setFixedHeight(metrics::paneHead);
    auto *headLayout = new QHBoxLayout(head);
    headLayout->setContentsMargins(metrics::space3, 0, metrics::space2, 1);
    headLayout->setSpacing(6);
    headLayout->addWidget(semiboldLabel(tr("Log")));
    m_title->setAccessibleName(tr("Task whose log is shown"));
    m_try->setAccessibleName(tr("Try whose log is shown"));
    m_title->setToolTip(tr("Choose the task whose log is shown"));
    m_try->setToolTip(tr("Choose the try whose log is shown"));
    m_try->hide();
    for (QToolButton *button : {m_title, m_try}) {
        button->setAutoRaise(true);
        button->setToolButtonStyle(Qt::ToolButtonTextOnly);
        button->setPopupMode(QToolButton::InstantPopup);
        headLayout->addWidget(button);
    }
    m_streams->setAccessibleName(tr("Output stream"));
    headLayout->addWidget(m_streams);
    headLayout->addStretch();
    for (QAction *a : {m_find, m_follow, m_error, m_times, m_wrap, m_runtime, m_save, m_external}) {
        m_tools.append(toolFor(a, head));
        headLayout->addWidget(m_tools.constLast());
    }
    m_more->setIcon(icon(QStringLiteral("more")));
    m_more->setIconSize({16, 16});
    m_more->setAutoRaise(true);
    m_more->setPopupMode(QToolButton::InstantPopup);
    m_more->setToolTip(tr("More"));
    m_more->setAccessibleName(tr("More"));
    m_more->setMenu(new QMenu(m_more));
    connect(m_more->menu(), &QMenu::aboutToShow, this, &LogPane::fillMore);
    headLayout->addWidget(m_more);
    head->setMinimumWidth(leastWidth); // fitHead() sees to it
    m_more->hide();

    static_cast<Ground *>(m_searchRow)->setBorders(Qt::BottomEdge);
    m_searchRow->setFixedHeight(metrics::pageBar);
    auto *searchLayout = new QHBoxLayout(m_searchRow);
    searchLayout->setContentsMargins(metrics::space3, 0, metrics::space2, 1);
    searchLayout->setSpacing(4);
    searchLayout->addWidget(m_searchField, 1);
    m_pattern->setText(QStringLiteral(".*"));
    m_pattern->setToolTip(tr("Regular expression"));
    m_case->setText(QStringLiteral("Aa"));
    m_case->setToolTip(tr("Match case"));
    for (QToolButton *button : {m_pattern, m_case}) {
        button->setCheckable(true);
        button->setAutoRaise(true);
        button->setAccessibleName(button->toolTip());
        searchLayout->addWidget(button);
        connect(button, &QToolButton::toggled, this, &LogPane::updateSearch);
    }
    auto *previous = new QAction(icon(QStringLiteral("arrow-up")), tr("Previous hit"), this);
    previous->setShortcut(QKeySequence::FindPrevious);
    auto *next = new QAction(icon(QStringLiteral("arrow-down")), tr("Next hit"), this);
    next->setShortcut(QKeySequence::FindNext);
    auto *close = new QAction(icon(QStringLiteral("close")), tr("Close the search"), this);
    close->setShortcut(Qt::Key_Escape); // also from the text; it is off while there is no search
    close->setToolTip(tr("Close the search (Esc)"));
    m_closeFind = close;
    for (QAction *a : {previous, next, close}) {
        a->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        addAction(a);
        searchLayout->addWidget(toolFor(a, m_searchRow));
    }
    m_searchRow->hide();
    close->setEnabled(false);

    auto *body = new QWidget;
    auto *stack = new QStackedLayout(body);
    stack->addWidget(m_view);
    m_empty->setAutoFillBackground(true);
    m_empty->setBackgroundRole(QPalette::Base);
    m_empty->setIcon(QStringLiteral("document"));
    stack->addWidget(m_empty);

    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(head);
    layout->addWidget(m_searchRow);
    layout->addWidget(m_saveBar);
    layout->addWidget(body, 1);

    connect(m_find, &QAction::triggered, this, &LogPane::showFind);
    connect(close, &QAction::triggered, this, &LogPane::closeFind);
    connect(next, &QAction::triggered, m_view, &LogView::nextHit);
    connect(previous, &QAction::triggered, m_view, &LogView::previousHit);
    connect(m_searchField, &QLineEdit::returnPressed, m_view, &LogView::nextHit);
    connect(m_searchField, &SearchField::moveRequested, this,
        [this](int rows) { rows > 0 ? m_view->nextHit() : m_view->previousHit(); });
    auto *delay = new QTimer(this);
    delay->setSingleShot(true);
    delay->setInterval(metrics::motionMs);
    connect(m_searchField, &QLineEdit::textChanged, delay, qOverload<>(&QTimer::start));
    connect(delay, &QTimer::timeout, this, &LogPane::updateSearch);
    connect(m_follow, &QAction::triggered, m_view, &LogView::setFollowing);
    connect(m_view, &LogView::followingChanged, m_follow, &QAction::setChecked);
    connect(m_times, &QAction::toggled, m_view, &LogView::setTimesVisible);
    connect(m_wrap, &QAction::toggled, m_view, &LogView::setWrapped);
    connect(m_view, &LogView::wrappedChanged, m_wrap, &QAction::setChecked); // by its own menu
    connect(m_view, &LogView::wrappedChanged, this, &LogPane::wrappedChanged);
    setWrapped(true); // what a program says stands at the end of a line, behind the long path of its script
    connect(m_error, &QAction::triggered, m_view, &LogView::showFirstError);
    connect(m_view, &LogView::errorShown, this, [this](bool found) {
        if (!found) {
            m_saveBar->show(InfoBar::Kind::Info, tr("No line of this log tells of an error."));
            m_saveBar->setClosable(true);
        }
    });
    connect(m_runtime, &QAction::toggled, this, &LogPane::applySource);
    connect(m_streams, &SegmentedControl::currentChanged, this, &LogPane::applySource);
    connect(m_view, &LogView::sizeChanged, this, [this] {
        updateStatus();
        showOrHideEmpty();
    });
    connect(m_view, &LogView::completed, this, &LogPane::showOrHideEmpty);
    connect(m_view, &LogView::searchChanged, this, &LogPane::updateStatus);
    connect(m_save, &QAction::triggered, this, &LogPane::saveAs);
    connect(m_external, &QAction::triggered, this,
        [this] { Q_EMIT openRequested(m_folder + QStringLiteral("/output.log")); });
    setLog({}, {}, tr("Choose a task to see its output."));
}

void LogPane::setLog(const QString &title, const QString &folder, const QString &emptyText)
{
    m_titleText = title;
    m_emptyText = emptyText;
    m_title->setText(title);
    m_title->setVisible(!title.isEmpty());
    fitHead();
    const bool other = folder != m_folder;
    m_folder = folder;
    updateActions();
    if (other) {
        const bool wasRuntime = m_runtime->isChecked();
        m_view->setFollowing(true);
        m_runtime->setChecked(false);
        if (!wasRuntime) {
            applySource();
        }
    }
    showOrHideEmpty();
    updateStatus();
}

void LogPane::setWrapped(bool on) { m_wrap->setChecked(on); }

void LogPane::setTry(const QString &words)
{
    if (words != m_try->text() || words.isEmpty() != m_try->isHidden()) {
        m_try->setText(words);
        m_try->setVisible(!words.isEmpty());
        fitHead();
        updateStatus();
    }
}

QString LogPane::title() const
{
    return m_try->isHidden() ? m_titleText : tr("%1, %2").arg(m_titleText, m_try->text().toLower());
}

void LogPane::applySource()
{
    m_streams->setEnabled(!m_runtime->isChecked());
    m_view->setSource(shownSource());
    showOrHideEmpty();
}

LogSourceFactory LogPane::shownSource() const
{
    if (m_folder.isEmpty()) {
        return {};
    }
    return m_runtime->isChecked() ? RuntimeLogSource::factory(m_folder)
                                  : TryLogSource::factory(m_folder, LogSource::Filter(m_streams->currentIndex()));
}

void LogPane::updateActions()
{
    m_external->setEnabled(!m_folder.isEmpty());
    m_runtime->setEnabled(!m_folder.isEmpty());
    m_save->setEnabled(!m_folder.isEmpty() && !m_saver);
}

void LogPane::showOrHideEmpty()
{
    auto *stack = static_cast<QStackedLayout *>(m_empty->parentWidget()->layout());
    const bool nothing = m_folder.isEmpty() || (m_view->lineCount() == 0 && m_view->isComplete());
    if (m_folder.isEmpty()) {
        m_empty->setText(m_emptyText.isEmpty() ? tr("Nothing has been written yet.") : m_emptyText);
    } else {
        m_empty->setText(m_runtime->isChecked()  ? tr("No runtime messages for this task.")
                : m_streams->currentIndex() == 0 ? tr("This task wrote no output.")
                                                 : tr("This task wrote nothing to this stream."));
    }
    stack->setCurrentWidget(nothing ? static_cast<QWidget *>(m_empty) : m_view);
}

// What does not fit goes into a menu, from the right; the name of the task stays.
void LogPane::fitHead()
{
    m_streams->show();
    for (QToolButton *tool : std::as_const(m_tools)) {
        tool->show();
    }
    m_more->hide();
    const auto fits = [this] {
        m_head->layout()->invalidate();
        return m_head->layout()->minimumSize().width() <= width();
    };
    if (fits()) {
        return;
    }
    m_more->show();
    QList<QWidget *> leaving{m_tools.begin() + 2, m_tools.end()};
    std::reverse(leaving.begin(), leaving.end());
    leaving << m_streams << m_tools.at(1) << m_tools.at(0);
    for (QWidget *widget : std::as_const(leaving)) {
        if (fits()) {
            return;
        }
        widget->hide();
    }
}

void LogPane::fillMore()
{
    QMenu *menu = m_more->menu();
    menu->clear();
    if (m_streams->isHidden()) {
        const QStringList choices = m_streams->choices();
        for (int i = 0; i < choices.size(); ++i) {
            QAction *choice = menu->addAction(choices.at(i), this, [this, i] { m_streams->setCurrentIndex(i); });
            choice->setCheckable(true);
            choice->setChecked(i == m_streams->currentIndex());
        }
        menu->addSeparator();
    }
    for (const QToolButton *tool : std::as_const(m_tools)) {
        if (tool->isHidden()) {
            menu->addAction(tool->defaultAction());
        }
    }
}

void LogPane::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    fitHead();
}

void LogPane::showFind()
{
    m_searchRow->show();
    m_closeFind->setEnabled(true);
    if (m_view->hasSelection() && !m_view->selectedText().contains(QLatin1Char('\n'))) {
        m_searchField->setText(m_view->selectedText());
    }
    m_searchField->setFocus();
    m_searchField->selectAll();
    updateSearch();
}

void LogPane::closeFind()
{
    m_searchRow->hide();
    m_closeFind->setEnabled(false);
    m_view->search({});
    m_view->setFocus();
}

void LogPane::updateSearch()
{
    const LogQuery query{m_searchField->text(), m_pattern->isChecked(), m_case->isChecked()};
    setFieldError(m_searchField, !query.expression().isValid());
    if (m_searchRow->isVisible()) {
        m_view->search(query);
    }
}

void LogPane::updateStatus()
{
    const QLocale locale;
    if (m_searchField->text().isEmpty()) {
        m_searchField->setStatus({});
    } else if (m_view->hitLineCount() == 0) {
        m_searchField->setStatus(m_view->searchDone() ? tr("No results") : tr("searching…"));
    } else {
        m_searchField->setStatus(
            tr("%1 of %2").arg(locale.toString(m_view->currentHit() + 1), locale.toString(m_view->hitLineCount())));
    }
    Q_EMIT statusChanged(m_folder.isEmpty()
            ? QString()
            : tr("%1: %Ln line(s), %2", nullptr, int(std::min<qint64>(m_view->lineCount(), INT_MAX)))
                  .arg(title(), formatBytes(m_view->byteCount())));
}

void LogPane::saveAs()
{
    QString suggested = m_titleText + QStringLiteral(".log");
    suggested.replace(QLatin1Char('/'), QLatin1Char('-')); // no folder: the name of a task has a slash
    auto *dialog = new QFileDialog(this, tr("Save the log"), suggested);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    // The log that is shown now, whatever task is chosen while the user types a file name.
    connect(dialog, &QFileDialog::fileSelected, this,
        [this, source = shownSource()](const QString &path) { save(source, path); });
    dialog->open();
}

void LogPane::save(const LogSourceFactory &source, const QString &path)
{
    if (!source || m_saver) {
        return;
    }
    m_saver = new LogSaver(source, path, this);
    updateActions();
    const QString name = path.toHtmlEscaped();
    m_saveBar->show(InfoBar::Kind::Info, tr("Saving %1…").arg(name));
    m_saveBar->setClosable(false);
    const auto done = [this] {
        m_saver->cancel();
        m_saver->deleteLater(); // it may be what calls
        m_saver = nullptr;
        updateActions();
    };
    QPushButton *cancel = m_saveBar->addAction(tr("Cancel"));
    cancel->setObjectName(QStringLiteral("logSaveCancel"));
    connect(cancel, &QPushButton::clicked, this, [this, done] {
        done();
        m_saveBar->hide();
    });
    connect(m_saver, &LogSaver::progressed, this,
        [this, name](int percent) { m_saveBar->setText(tr("Saving %1: %2 %").arg(name, QString::number(percent))); });
    connect(m_saver, &LogSaver::finished, this, [this, done, name](const QString &error) {
        done();
        if (error.isEmpty()) {
            m_saveBar->show(InfoBar::Kind::Succeeded, tr("The log is in %1.").arg(name));
        } else {
            m_saveBar->show(InfoBar::Kind::Failed, tr("%1 could not be written: %2").arg(name, error.toHtmlEscaped()));
        }
        m_saveBar->setClosable(true);
    });
    m_saver->start();
}

} // namespace trainyard
