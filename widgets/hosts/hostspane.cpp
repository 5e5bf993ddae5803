// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/hosts/hostspane.h"

#include "engine/api/hosterrors.h"
#include "widgets/common/emptystate.h"
#include "widgets/common/icons.h"
#include "widgets/common/labels.h"
#include "widgets/common/meters.h"
#include "widgets/common/statepainter.h"
#include "widgets/common/style.h"
#include "widgets/hosts/addtrouble.h"
#include "widgets/hosts/clusterspane.h"
#include "widgets/hosts/hostlabels.h"
#include "widgets/hosts/hostrow.h"
#include "widgets/text/formats.h"
#include "widgets/text/gputexts.h"
#include "widgets/text/texts.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QLocale>
#include <QMenu>
#include <QPainter>
#include <QShortcut>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace trainyard
{
namespace
{
QString rightText(const HostInfo &host)
{
    switch (host.state) {
    case HostState::Online: {
        if (host.drained) {
            return HostsPane::tr("drained");
        }
        if (std::any_of(host.quarantines.cbegin(), host.quarantines.cend(),
                [](const Quarantine &each) { return each.gpu.isEmpty(); })) {
            return HostsPane::tr("in quarantine");
        }
        if (host.gpus.isEmpty()) {
            return HostsPane::tr("no GPU");
        }
        const auto taken = std::count_if(
            host.gpus.cbegin(), host.gpus.cend(), [](const GpuInfo &gpu) { return useOf(gpu) != GpuUse::Free; });
        return QStringLiteral("%1/%2").arg(taken).arg(host.gpus.size());
    }
    case HostState::Unknown:
    case HostState::Connecting:
        return HostsPane::tr("connecting");
    case HostState::Offline:
        return HostsPane::tr("offline");
    case HostState::NeedsLogin:
        return hosterror::isLoginWanted(host)     ? HostsPane::tr("log in")
            : hosterror::isKeyRefused(host.error) ? HostsPane::tr("key refused")
                                                  : HostsPane::tr("key changed");
    case HostState::Failed:
        return HostsPane::tr("check");
    }
    return {};
}

QString tipOf(const HostInfo &host)
{
    QStringList lines{labelAndAddress(host)};
    if (host.state == HostState::Online) {
        lines.append(HostsPane::tr("%n core(s), %1 memory", nullptr, host.cpus).arg(formatMiB(host.memoryMiB)));
        for (const GpuInfo &gpu : host.gpus) {
            QString line = HostsPane::tr("GPU %1: %2, %3 of %4")
                               .arg(QString::number(gpu.index), shortGpuName(gpu.name), formatMiB(gpu.memoryUsedMiB),
                                   formatMiB(gpu.memoryMiB));
            if (gpu.promisedMiB > 0) {
                QStringList jobs;
                for (const qint64 job : gpu.jobs) {
                    jobs.append(QLatin1Char('#') + QString::number(job));
                }
                line += HostsPane::tr(", shared by %1 (%2 promised)")
                            .arg(jobs.join(QStringLiteral(", ")), formatMiB(gpu.promisedMiB));
            } else if (gpu.jobId > 0) {
                line += HostsPane::tr(", job #%1").arg(gpu.jobId);
            } else {
                line += QStringLiteral(", ") + ownerText(gpu);
            }
            lines.append(line);
        }
        lines += hostNotes(host);
    } else if (!host.error.isEmpty()) {
        lines.append(reasonText(host.error, host.errorArgs));
    }
    return lines.join(QLatin1Char('\n'));
}
} // namespace

HostRow::HostRow(const HostInfo &host, QWidget *parent) : SideRow(parent) { setHost(host); }

void HostRow::setHost(const HostInfo &host)
{
    m_host = host;
    setToolTip(plainTip(tipOf(host)));
    setAccessibleName(host.label + QStringLiteral(", ") + rightText(host));
    update();
}

void HostRow::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    paintHead(&painter, m_host.target.isEmpty() ? QStringLiteral("computer") : QStringLiteral("host"));
    painter.setFont(fonts::small());
    painter.setPen(colour(rightColour(), this));
    painter.drawText(rect().adjusted(0, 0, -12, 0), Qt::AlignVCenter | Qt::AlignRight, rightText(m_host));
    int x = width() - 12 - rightWidth() - 8;
    if (m_host.state == HostState::Online && !m_host.gpus.isEmpty()) {
        // More than eight would leave no room for the name.
        const QList<GpuInfo> shown = m_host.gpus.mid(0, 8);
        x -= gpuCellsWidth(shown.size());
        paintGpuCells(&painter, QPointF(x, (height() - metrics::gpuCellHeight) / 2.0), shown, palette());
    } else if (isDown()) {
        x -= 14;
        paintState(&painter, hostShape(m_host.state), QRectF(x, 7, 14, 14), palette());
    }
    paintName(&painter, m_host.label, x);
}

bool HostRow::isDown() const
{
    return m_host.state == HostState::Offline || m_host.state == HostState::Failed
        || m_host.state == HostState::NeedsLogin;
}

// Words that name what a click does are links; that a host is offline is a state.
Colour HostRow::rightColour() const
{
    const StateShape shape = hostShape(m_host);
    return !isDown() && shape == StateShape::Failed ? colourOf(shape) // in quarantine
        : !isDown()                                 ? Colour::Muted
        : m_host.state == HostState::Offline        ? colourOf(hostShape(m_host.state))
                                                    : Colour::Accent;
}

int HostRow::rightWidth() const
{
    return std::max(40, QFontMetrics(fonts::small()).horizontalAdvance(rightText(m_host)) + 2);
}

HostsPane::HostsPane(QWidget *parent)
    : QWidget(parent), m_list(new QVBoxLayout), m_count(smallMutedLabel({})),
      m_empty(new EmptyState(EmptyState::Layout::Side)), m_addRow(new QWidget), m_address(new QLineEdit),
      m_addTrouble(new AddTrouble(m_address)), m_clusters(new ClustersPane)
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 6);
    layout->setSpacing(0);
    auto *head = new QWidget;
    head->setFixedHeight(metrics::sideHead);
    auto *headLayout = new QHBoxLayout(head);
    headLayout->setContentsMargins(metrics::space3, 0, metrics::space2, 0);
    headLayout->setSpacing(metrics::space2);
    headLayout->addWidget(semiboldLabel(tr("Hosts")));
    headLayout->addWidget(m_count);
    headLayout->addStretch();
    auto *plus = new QToolButton;
    plus->setIcon(icon(QStringLiteral("plus")));
    plus->setAutoRaise(true);
    plus->setIconSize({16, 16});
    plus->setToolTip(tr("Add a host that is reached by ssh"));
    plus->setAccessibleName(plus->toolTip());
    headLayout->addWidget(plus);
    layout->addWidget(head);
    m_list->setSpacing(0);
    layout->addLayout(m_list);

    auto *addLayout = new QVBoxLayout(m_addRow);
    addLayout->setContentsMargins(metrics::space2, 4, metrics::space2, 4);
    addLayout->setSpacing(3);
    m_address->setPlaceholderText(tr("user@host or user@host:port"));
    m_address->setAccessibleName(tr("Address of the new host"));
    addLayout->addWidget(m_address);
    addLayout->addWidget(m_addTrouble);
    m_addRow->hide();
    layout->addWidget(m_addRow);
    m_empty->setText(tr("Machines you reach by ssh can run jobs too."));
    m_empty->setAction(tr("Add a host"), QStringLiteral("plus"));
    layout->addWidget(m_empty);
    layout->addWidget(m_clusters);

    connect(plus, &QToolButton::clicked, this, &HostsPane::showAdd);
    connect(m_empty, &EmptyState::actionTriggered, this, &HostsPane::showAdd);
    auto *leave = new QShortcut(QKeySequence(Qt::Key_Escape), m_addRow);
    leave->setContext(Qt::WidgetWithChildrenShortcut);
    connect(leave, &QShortcut::activated, this, [this] { setAddError({}); });
    connect(m_address, &QLineEdit::returnPressed, this, [this] { add(false); });
    connect(m_addTrouble, &AddTrouble::anywayRequested, this, [this] { add(true); });
}

void HostsPane::add(bool anyway)
{
    const QString target = m_address->text().trimmed();
    if (!m_address->isEnabled()) { // under way
        return;
    }
    if (target.isEmpty()) {
        setAddError({});
    } else {
        m_addTrouble->setAdding(true);
        Q_EMIT addRequested(target, anyway);
    }
}

void HostsPane::setHosts(const QList<HostInfo> &hosts)
{
    // Rows stay while their hosts do: one of them may have the focus.
    const QList<HostInfo> before = this->hosts();
    for (const HostInfo &old : before) {
        if (std::none_of(hosts.cbegin(), hosts.cend(), [&](const HostInfo &host) { return host.id == old.id; })) {
            remove(old.id);
        }
    }
    for (const HostInfo &host : hosts) {
        apply(host);
    }
    updateState();
}

void HostsPane::apply(const HostInfo &host)
{
    for (HostRow *row : std::as_const(m_rows)) {
        if (row->host().id == host.id) {
            row->setHost(host);
            return;
        }
    }
    auto *row = new HostRow(host);
    connect(row, &SideRow::menuRequested, this, [this, row](const QPoint &at) { showMenu(row->host().id, at); });
    connect(row, &SideRow::activated, this, [this, row] { activate(row); });
    const int at = host.target.isEmpty() ? 0 : int(m_rows.size());
    m_rows.insert(at, row);
    m_list->insertWidget(at, row);
    updateState();
    focusAdded();
}

void HostsPane::setAdded(const QString &id)
{
    m_added = id;
    focusAdded();
}

// While it was added, the field was off, and the keyboard went on to the row below it.
void HostsPane::focusAdded()
{
    const auto row = std::find_if(
        m_rows.cbegin(), m_rows.cend(), [this](const HostRow *each) { return each->host().id == m_added; });
    if (m_added.isEmpty() || row == m_rows.cend()) {
        return;
    }
    m_added.clear();
    if (const QWidget *focused = QApplication::focusWidget(); focused && isAncestorOf(focused)) {
        (*row)->setFocus();
    }
}

void HostsPane::remove(const QString &id)
{
    for (qsizetype i = 0; i < m_rows.size(); ++i) {
        if (m_rows.at(i)->host().id == id) {
            m_rows.takeAt(i)->deleteLater();
            updateState();
            return;
        }
    }
}

QList<HostInfo> HostsPane::hosts() const
{
    QList<HostInfo> hosts;
    for (const HostRow *row : m_rows) {
        hosts.append(row->host());
    }
    return hosts;
}

void HostsPane::updateState()
{
    m_count->setText(m_rows.isEmpty() ? QString() : QLocale().toString(m_rows.size()));
    m_empty->setVisible(!m_isLoading && m_rows.size() <= 1 && !m_addRow->isVisibleTo(this));
}

void HostsPane::setLoading(bool on)
{
    m_isLoading = on;
    updateState();
}

void HostsPane::showAdd()
{
    m_addRow->show();
    m_address->setFocus();
    updateState();
}

void HostsPane::setAddError(const QString &text, bool mayBeAdded)
{
    m_addTrouble->setAdding(false);
    m_addTrouble->setText(text, mayBeAdded);
    if (text.isEmpty()) {
        m_address->clear();
        m_addRow->hide();
        updateState();
    }
}

// A login is asked for at once.
void HostsPane::activate(const HostRow *row)
{
    const QString id = row->host().id;
    const bool needsLogin = hosterror::isLoginWanted(row->host());
    Q_EMIT hostRequested(id); // which may list the hosts again, and the row is gone
    if (needsLogin) {
        Q_EMIT checkRequested(id);
    }
}

void HostsPane::showMenu(const QString &id, const QPoint &globalPosition)
{
    for (const HostRow *row : std::as_const(m_rows)) {
        if (row->host().id == id && !row->host().target.isEmpty()) {
            auto *menu = new QMenu(this);
            menu->setObjectName(QStringLiteral("hostMenu"));
            menu->setAttribute(Qt::WA_DeleteOnClose);
            menu->addAction(
                icon(QStringLiteral("restart")), tr("Check again"), this, [this, id] { Q_EMIT checkRequested(id); });
            menu->addAction(icon(QStringLiteral("remove")), plainCaption(tr("Remove %1").arg(row->host().label)), this,
                [this, id] { Q_EMIT removeRequested(id); });
            menu->popup(globalPosition);
        }
    }
}

} // namespace trainyard
