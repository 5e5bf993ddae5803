// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tasks/filesview.h"

#include "engine/client/capturedenvironment.h"
#include "widgets/common/aside.h"
#include "widgets/common/chooserow.h"
#include "widgets/common/emptystate.h"
#include "widgets/common/iconbutton.h"
#include "widgets/common/icons.h"
#include "widgets/common/labels.h"
#include "widgets/common/segmentedcontrol.h"
#include "widgets/common/style.h"
#include "widgets/common/tablelook.h"
#include "widgets/text/formats.h"

#include <QClipboard>
#include <QDateTime>
#include <QFileInfo>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QMenu>
#include <QPlainTextEdit>
#include <QSplitter>
#include <QStackedLayout>
#include <QTimer>
#include <QToolButton>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace trainyard
{
namespace
{

enum FileColumn { FileNameColumn, FileSizeColumn, FileTimeColumn };
constexpr int filesEveryMs = 4000; // while the task runs and the user looks
constexpr int fileSizeWidth = 84, fileTimeWidth = 116;

} // namespace

FilesView::FilesView(QWidget *parent)
    : QWidget(parent), m_controls(new QWidget(this)),
      m_which(new SegmentedControl({tr("Run folder"), tr("Work folder")})), m_note(smallMutedLabel({})),
      m_broughtLine(new ElidedLabel), m_list(new QTreeWidget), m_text(new QPlainTextEdit), m_image(plainLabel()),
      m_empty(new EmptyState), m_noPreview(new EmptyState), m_timer(new QTimer(this))
{
    makeControls();
    m_list->setObjectName(QStringLiteral("runFiles"));
    m_list->setAccessibleName(tr("Files"));
    m_list->setHeaderLabels({tr("Name"), tr("Size"), tr("Changed")});
    setTableLook(m_list);
    setNumberColumns(m_list, {FileSizeColumn});
    // The name gives way: the whole of it is in its tip.
    m_list->header()->setStretchLastSection(false);
    m_list->header()->setSectionResizeMode(FileNameColumn, QHeaderView::Stretch);
    m_list->header()->resizeSection(FileSizeColumn, fileSizeWidth);
    m_list->header()->resizeSection(FileTimeColumn, fileTimeWidth);
    m_list->setTextElideMode(Qt::ElideMiddle);
    m_list->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_list->setContextMenuPolicy(Qt::CustomContextMenu);
    m_text->setReadOnly(true);
    m_text->setFrameShape(QFrame::NoFrame);
    m_text->setFont(fonts::fixed());
    m_text->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_text->setAccessibleName(tr("Preview of the file"));
    m_image->setAlignment(Qt::AlignCenter);
    m_image->setMinimumSize(1, 1);
    m_image->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Ignored);
    m_noPreview->setIcon(QStringLiteral("document"));
    m_empty->setIcon(QStringLiteral("folder"));
    auto *preview = new QWidget;
    m_previews = new QStackedLayout(preview);
    m_previews->addWidget(m_noPreview);
    m_previews->addWidget(m_text);
    m_previews->addWidget(m_image);
    auto *split = new QSplitter(Qt::Horizontal);
    split->addWidget(m_list);
    split->addWidget(preview);
    split->setChildrenCollapsible(false);
    split->setSizes({460, 500});
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_broughtLine->setObjectName(QStringLiteral("broughtLine"));
    m_broughtLine->setFont(fonts::small());
    m_broughtLine->setColour(Colour::Muted);
    m_broughtLine->setElideMode(Qt::ElideRight);
    m_broughtLine->setContentsMargins(metrics::space3, metrics::space1, metrics::space3, metrics::space1);
    m_broughtLine->hide();
    layout->addWidget(m_broughtLine);
    m_pages = new QStackedLayout;
    layout->addLayout(m_pages, 1);
    m_pages->addWidget(m_empty);
    m_pages->addWidget(split);
    m_timer->setInterval(filesEveryMs);
    connect(m_timer, &QTimer::timeout, this, &FilesView::look);
    connect(m_list, &QTreeWidget::currentItemChanged, this, &FilesView::showPreview);
    connect(m_list, &QTreeWidget::itemActivated, this, [this](const QTreeWidgetItem *item) {
        if (!isOnHost()) {
            Q_EMIT openRequested(pathOf(item));
        }
    });
    connect(m_list, &QTreeWidget::itemSelectionChanged, this, &FilesView::updateActions);
    connect(m_list, &QWidget::customContextMenuRequested, this, &FilesView::showMenu);
    connect(m_which, &SegmentedControl::currentChanged, this, &FilesView::look);
    setTry(std::nullopt, {});
}

void FilesView::makeControls()
{
    auto *layout = new QHBoxLayout(m_controls);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(metrics::space2);
    m_which->setAccessibleName(tr("Which files are shown"));
    m_which->hide(); // until there is a choice
    layout->addWidget(m_note);
    layout->addWidget(m_which);
    const auto tool = [layout](const QString &name, const QString &tip) {
        QToolButton *button = iconButton(name, tip);
        layout->addWidget(button);
        return button;
    };
    m_bring = tool(QStringLiteral("download"), tr("Bring the chosen files here"));
    m_bring->setObjectName(QStringLiteral("bringFiles"));
    connect(m_bring, &QToolButton::clicked, this, &FilesView::bringSelected);
    m_openFolder = tool(QStringLiteral("folder"), tr("Open the folder in the file manager"));
    m_openFolder->setObjectName(QStringLiteral("openFilesFolder"));
    connect(m_openFolder, &QToolButton::clicked, this, [this] {
        if (!root().isEmpty() && !isOnHost()) {
            Q_EMIT openRequested(root());
        }
    });
    connect(tool(QStringLiteral("terminal"), tr("Open a terminal there")), &QToolButton::clicked, this, [this] {
        if (m_task && !m_task->host.isEmpty()) {
            Q_EMIT terminalRequested(*m_task);
        }
    });
}

void FilesView::setTry(const std::optional<TaskInfo> &task, const QString &hostLabel)
{
    const bool isOther = (task ? task->logFolder : QString()) != (m_task ? m_task->logFolder : QString());
    m_task = task;
    m_hostLabel = hostLabel;
    updateBrought();
    if (isOther) {
        m_workFolder.clear();
        m_sharesWork = false;
        m_listed.clear();
        m_shown.clear();
        m_files = {};
        m_list->clear();
    }
    const bool hasFolder = task && !task->logFolder.isEmpty();
    m_empty->setText(hasFolder ? tr("The folder of this try is not on this computer.")
            : task             ? tr("The files appear here when the task starts.")
                               : tr("Choose a task to see its files."));
    if (!hasFolder) {
        m_pages->setCurrentIndex(0);
    }
    m_which->setVisible(!m_workFolder.isEmpty() || (!hostLabel.isEmpty() && hasFolder));
    updateActions();
    if (isVisible() && isOther) {
        look();
    }
}

QString FilesView::root() const
{
    if (!m_task || m_task->logFolder.isEmpty()) {
        return {};
    }
    const bool isWork = m_which->currentIndex() == WorkRoot && !m_workFolder.isEmpty();
    return isWork ? m_workFolder : m_task->logFolder;
}

void FilesView::look()
{
    const QString folder = root();
    const bool goesOn = m_task && !isFinal(m_task->state);
    if (goesOn && isVisible()) {
        m_timer->start();
    } else {
        m_timer->stop();
    }
    updateActions();
    if (isOnHost()) {
        Q_EMIT hostFilesWanted(*m_task);
        return;
    }
    if (folder.isEmpty() || m_isLooking) {
        return;
    }
    m_isLooking = true;
    const bool isHere = m_hostLabel.isEmpty();
    runAside(this, [this, folder, logs = m_task->logFolder, isHere]() -> std::function<void()> {
        const RunFiles files = folder == logs ? withoutLocks(filesBelow(folder)) : filesBelow(folder);
        const bool isThere = QFileInfo(folder).isDir();
        const std::optional<CapturedEnvironment> found
            = isHere ? CapturedEnvironment::read(logs) : std::optional<CapturedEnvironment>();
        const QString work = found && QFileInfo(found->workFolder).isDir() ? found->workFolder : QString();
        return [this, folder, logs, files, isThere, work] {
            m_isLooking = false;
            if (!m_task || m_task->logFolder != logs || root() != folder || isOnHost()) {
                look(); // another one was chosen meanwhile
                return;
            }
            // A folder of the try itself is in the other list already.
            if (!m_sharesWork) {
                m_workFolder = work.startsWith(logs) ? QString() : work;
            }
            m_which->setVisible(!m_workFolder.isEmpty() || !m_hostLabel.isEmpty());
            m_pages->setCurrentIndex(isThere ? 1 : 0);
            setFiles(folder, files);
        };
    });
}

void FilesView::setFiles(const QString &folder, const RunFiles &files)
{
    if (folder == m_listed && files == m_files) {
        return;
    }
    const bool isOther = folder != m_listed;
    const QString current = isOther ? QString() : m_shown;
    m_listed = folder;
    m_files = files;
    const QSignalBlocker blocker(m_list);
    m_list->clear();
    const qint64 now = QDateTime::currentMSecsSinceEpoch();
    for (const RunFile &file : files.files) {
        const bool isFolder = file.name.endsWith(QLatin1Char('/'));
        auto *item = new QTreeWidgetItem(
            m_list, {file.name, isFolder ? QString() : formatBytes(file.bytes), formatTime(file.modified, now)});
        item->setIcon(
            FileNameColumn, icon(isFolder ? QStringLiteral("folder") : QStringLiteral("document"), Colour::Muted));
        item->setTextAlignment(FileSizeColumn, Qt::AlignRight | Qt::AlignVCenter);
        item->setData(0, filePathRole, file.name);
        item->setToolTip(FileNameColumn, plainTip(file.name));
        if (!current.isEmpty() && pathOf(item) == current) {
            chooseRow(m_list, m_list->indexFromItem(item));
        }
    }
    if (files.isCut) {
        auto *more = new QTreeWidgetItem(m_list, {tr("There are more files than are listed here.")});
        more->setFirstColumnSpanned(true);
        more->setFlags(Qt::NoItemFlags);
    }
    if (isOther) {
        showPreview();
    }
}

QString FilesView::pathOf(const QTreeWidgetItem *item) const
{
    const QString name = item ? item->data(0, filePathRole).toString() : QString();
    return name.isEmpty() ? QString() : QString(m_listed + QLatin1Char('/') + name);
}

void FilesView::showPreview()
{
    const QString path = pathOf(m_list->currentItem());
    m_shown = path;
    if (path.isEmpty() || path.endsWith(QLatin1Char('/')) || isOnHost()) {
        setPreview(path, {});
        return;
    }
    runAside(this, [this, path]() -> std::function<void()> {
        return [this, path, preview = previewOf(path)] {
            if (path == m_shown) {
                setPreview(path, preview);
            }
        };
    });
}

void FilesView::setPreview(const QString &path, const FilePreview &preview)
{
    switch (preview.kind) {
    case FilePreview::Kind::Text:
        m_text->setPlainText(preview.isCut ? QString(preview.text + QStringLiteral("\n\n")
                                 + tr("Only the beginning of the file is shown; open it to see all of it."))
                                           : preview.text);
        m_previews->setCurrentWidget(m_text);
        return;
    case FilePreview::Kind::Image: {
        const QPixmap picture = QPixmap::fromImage(preview.image);
        const QSize room = m_image->size();
        m_image->setPixmap(picture.width() > room.width() || picture.height() > room.height()
                ? picture.scaled(room, Qt::KeepAspectRatio, Qt::SmoothTransformation)
                : picture);
        m_image->setToolTip(
            plainTip(tr("%1 × %2 pixels").arg(preview.imageSize.width()).arg(preview.imageSize.height())));
        m_previews->setCurrentWidget(m_image);
        return;
    }
    case FilePreview::Kind::Binary:
        m_noPreview->setText(tr("This file is neither a text nor an image."));
        break;
    case FilePreview::Kind::TooLarge:
        m_noPreview->setText(tr("This image is too large for a preview."));
        break;
    case FilePreview::Kind::Unreadable:
        m_noPreview->setText(tr("The file cannot be read: %1").arg(preview.text));
        break;
    case FilePreview::Kind::None:
        m_noPreview->setText(path.isEmpty() ? tr("Choose a file to see what is in it.")
                : !isOnHost()               ? QString()
                : path.endsWith(QLatin1Char('/'))
                ? tr("The folder is on %1. Bring it here to see what is in its files.").arg(m_hostLabel)
                : tr("The file is on %1. Bring it here to see what is in it.").arg(m_hostLabel));
        break;
    }
    m_previews->setCurrentWidget(m_noPreview);
}

QString FilesView::previewText() const
{
    return m_previews->currentWidget() == m_text ? m_text->toPlainText() : QString();
}

void FilesView::showMenu(const QPoint &at)
{
    const QString path = pathOf(m_list->itemAt(at));
    if (path.isEmpty()) {
        return;
    }
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    if (isOnHost()) {
        menu->addAction(icon(QStringLiteral("download")), tr("Bring here…"), this, &FilesView::bringSelected);
    } else {
        menu->addAction(
            icon(QStringLiteral("external")), tr("Open"), this, [this, path] { Q_EMIT openRequested(path); });
        if (!path.endsWith(QLatin1Char('/'))) {
            menu->addAction(icon(QStringLiteral("folder")), tr("Open folder"), this,
                [this, path] { Q_EMIT openRequested(QFileInfo(path).path()); });
        }
    }
    menu->addAction(
        icon(QStringLiteral("copy")), tr("Copy path"), this, [path] { QGuiApplication::clipboard()->setText(path); });
    menu->popup(m_list->viewport()->mapToGlobal(at));
}

void FilesView::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    look();
}

void FilesView::hideEvent(QHideEvent *event)
{
    QWidget::hideEvent(event);
    m_timer->stop();
}

} // namespace trainyard
