// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/log/preparationfold.h"

#include "widgets/common/icons.h"
#include "widgets/common/style.h"
#include "widgets/log/logview.h"

#include <QHBoxLayout>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace trainyard
{
namespace
{
constexpr qint64 mostRowsOpen = 9;
}

PreparationFold::PreparationFold(QWidget *parent)
    : Ground(Colour::Window, parent), m_fold(new QToolButton), m_newest(new ElidedLabel), m_row(new QWidget),
      m_view(new LogView)
{
    setBorders(Qt::BottomEdge);
    m_fold->setObjectName(QStringLiteral("logPreparation"));
    m_fold->setText(tr("Preparation"));
    m_fold->setToolTip(tr("Runtime messages: prerequisites, plugins, the end of the task"));
    m_fold->setCheckable(true);
    m_fold->setAutoRaise(true);
    m_fold->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_fold->setIconSize({metrics::tinyIcon, metrics::tinyIcon});
    m_newest->setColour(Colour::Muted);
    m_newest->setElideMode(Qt::ElideRight);
    auto *row = new QHBoxLayout(m_row);
    row->setContentsMargins(metrics::space2, 0, metrics::space3, 0);
    row->setSpacing(metrics::space2);
    row->addWidget(m_fold);
    row->addWidget(m_newest, 1);
    m_view->setWrapped(true);
    m_view->setTimes(LogTimes::None); // its lines say when
    m_view->setAccessibleName(tr("Preparation"));
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 1);
    layout->setSpacing(0);
    layout->addWidget(m_row);
    layout->addWidget(m_view);
    connect(m_fold, &QToolButton::toggled, this, [this](bool on) {
        refresh();
        Q_EMIT openChanged(on);
    });
    connect(m_view, &LogView::sizeChanged, this, &PreparationFold::refresh);
    refresh();
}

void PreparationFold::setFolder(const QString &folder)
{
    if (folder != m_folder) {
        m_folder = folder;
        m_view->setFollowing(true);
        m_view->setSource(folder.isEmpty() ? LogSourceFactory() : RuntimeLogSource::factory(folder));
    }
}

bool PreparationFold::isOpen() const { return m_fold->isChecked(); }

void PreparationFold::setOpen(bool on) { m_fold->setChecked(on); }

// Without a height, not hidden: a log that is out of sight is not read.
void PreparationFold::refresh()
{
    const qint64 lines = m_view->lineCount();
    const bool isThere = lines > 0;
    m_row->setFixedHeight(isThere ? metrics::row : 0);
    m_fold->setIcon(icon(isOpen() ? QStringLiteral("chevron-down") : QStringLiteral("chevron-right"), Colour::Muted));
    const int rowHeight = std::max(metrics::logLine, m_view->fontMetrics().height() + 1);
    m_view->setFixedHeight(isThere && isOpen() ? int(std::min(lines + 1, mostRowsOpen)) * rowHeight : 0);
    m_view->setFocusPolicy(m_view->height() > 0 ? Qt::StrongFocus : Qt::NoFocus); // no key leads to what is not seen
    m_fold->setFocusPolicy(isThere ? Qt::TabFocus : Qt::NoFocus);
    setFixedHeight(isThere ? m_row->height() + m_view->height() + 1 : 0);
    if (isThere) {
        QString newest = m_view->lineText(lines - 1);
        if (newest.startsWith(QLatin1String("[")) && newest.contains(QLatin1String("] "))) {
            newest.remove(0, newest.indexOf(QLatin1String("] ")) + 2); // when it was
        }
        m_newest->setText(newest);
    }
}

} // namespace trainyard
