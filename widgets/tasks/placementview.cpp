// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tasks/placementview.h"

#include "engine/api/tasklabel.h"
#include "widgets/common/flowlayout.h"
#include "widgets/common/icons.h"
#include "widgets/common/labels.h"
#include "widgets/common/stylepaint.h"
#include "widgets/text/gputexts.h"
#include "widgets/text/hosttexts.h"

#include <QAbstractButton>
#include <QHBoxLayout>
#include <QPainter>
#include <QVBoxLayout>

#include <algorithm>
#include <map>

namespace trainyard
{
namespace
{
constexpr int hostWidth = 88;
constexpr int leastBox = 46;
constexpr int boxHeight = 24;
constexpr qsizetype wholeRole = 8;
constexpr qsizetype mostHosts = 8;
constexpr qsizetype mostBoxes = 32; // of one host

// One GPU, or the tasks of a role that need none.
class PlaceBox final : public QAbstractButton
{
public:
    enum class Kind { Planned, Free, Taken };

    PlaceBox(const QString &text, Kind kind, const QList<int> &tasks, QWidget *parent = nullptr)
        : QAbstractButton(parent), m_kind(kind), m_tasks(tasks)
    {
        setText(text);
        setShortcut({}); // an "&" in a role's name marks no key
        setFont(fonts::small());
        setEnabled(kind == Kind::Planned);
        setFocusPolicy(kind == Kind::Planned ? Qt::TabFocus : Qt::NoFocus);
        setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    }
    bool holds(int task) const { return m_tasks.contains(task); }
    void setCurrent(bool current)
    {
        m_isCurrent = current;
        update();
    }
    QSize sizeHint() const override
    {
        return {std::max(leastBox, fontMetrics().horizontalAdvance(text()) + 2 * metrics::space2), boxHeight};
    }

protected:
    void paintEvent(QPaintEvent *) override
    {
        QPainter painter(this);
        const bool isPlanned = m_kind == Kind::Planned;
        const bool isFilled = isPlanned && m_isCurrent;
        const Colour fill = isFilled ? Colour::Accent
            : isPlanned              ? Colour::Selection
            : m_kind == Kind::Free   ? Colour::Surface
                                     : Colour::Hover;
        stylepaint::roundedBox(&painter, rect(), metrics::smallRadius, colour(fill, this),
            colour(isPlanned ? Colour::Accent : Colour::Edge, this));
        painter.setPen(colour(isFilled ? Colour::OnAccent : isPlanned ? Colour::Accent : Colour::Muted, this));
        painter.drawText(rect(), Qt::AlignCenter, text());
        if (stylepaint::showsFocus(this)) {
            stylepaint::focusRing(&painter, rect(), metrics::smallRadius, colour(Colour::Text, this));
        }
    }

private:
    Kind m_kind;
    QList<int> m_tasks; // numbers in the plan
    bool m_isCurrent = false;
};

// Short names as they are, and of long ones the shortest beginning that tells the roles apart.
QHash<QString, QString> shortRoles(const PlanReply &plan)
{
    QStringList roles;
    for (const PlannedTask &task : plan.tasks) {
        if (!roles.contains(task.role)) {
            roles.append(task.role);
        }
    }
    QHash<QString, QString> names;
    for (const QString &role : std::as_const(roles)) {
        if (role.size() <= wholeRole) {
            names.insert(role, role);
            continue;
        }
        qsizetype length = wholeRole;
        const auto isShared = [&](qsizetype size) {
            return std::any_of(roles.cbegin(), roles.cend(),
                [&](const QString &other) { return other != role && other.startsWith(QStringView(role).left(size)); });
        };
        while (length < role.size() && isShared(length)) {
            ++length;
        }
        names.insert(role, length < role.size() ? role.left(length) + QChar(0x2026) : role);
    }
    return names;
}

// The role of a host in the plan.
struct HostUse {
    std::map<int, QList<int>> tasksOfGpu; // numbers in the plan
    QList<std::pair<QString, QList<int>>> withoutGpu; // by role
};

void addBox(QLayout *layout, PlaceBox *box, const QString &tip)
{
    box->setToolTip(plainTip(tip));
    box->setAccessibleName(tip);
    layout->addWidget(box);
}

} // namespace

PlacementView::PlacementView(QWidget *parent) : QWidget(parent), m_rows(new QVBoxLayout(this))
{
    m_rows->setContentsMargins(metrics::space3, metrics::space2, metrics::space3, metrics::space3);
    m_rows->setSpacing(metrics::space2);
    setObjectName(QStringLiteral("previewPlaces"));
    hide();
}

void PlacementView::setPlan(const PlanReply &plan, const QList<HostInfo> &hosts, const QHash<QString, QString> &labels)
{
    while (QLayoutItem *item = m_rows->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    QStringList order; // those that the plan uses come first
    QHash<QString, int> counts; // tasks of each role
    QHash<QString, HostUse> uses;
    for (qsizetype i = 0; i < plan.tasks.size(); ++i) {
        const PlannedTask &task = plan.tasks.at(i);
        ++counts[task.role];
        if (task.host.isEmpty()) {
            continue;
        }
        if (!order.contains(task.host)) {
            order.append(task.host);
        }
        HostUse &use = uses[task.host];
        for (const int gpu : task.gpus) {
            use.tasksOfGpu[gpu].append(int(i));
        }
        if (task.gpus.isEmpty()) {
            if (use.withoutGpu.isEmpty() || use.withoutGpu.constLast().first != task.role) {
                use.withoutGpu.append({task.role, {}});
            }
            use.withoutGpu.last().second.append(int(i));
        }
    }
    QHash<QString, const HostInfo *> known;
    for (const HostInfo &host : hosts) {
        known.insert(host.id, &host);
        if (!order.contains(host.id) && host.state == HostState::Online && !host.gpus.isEmpty()) {
            order.append(host.id);
        }
    }
    const QHash<QString, QString> shortNames = shortRoles(plan);
    for (const QString &id : std::as_const(order).first(std::min(mostHosts, order.size()))) {
        const HostInfo *host = known.value(id);
        const HostUse use = uses.value(id);
        auto *row = new QWidget;
        auto *across = new QHBoxLayout(row);
        across->setContentsMargins(0, 0, 0, 0);
        across->setSpacing(metrics::space2);
        const bool isHere = host ? host->target.isEmpty() : id == QLatin1String("local");
        auto *beside = new QVBoxLayout; // the first row of boxes
        beside->setContentsMargins(0, (boxHeight - metrics::rowIcon) / 2, 0, 0);
        beside->addWidget(new IconLabel(
            isHere ? QStringLiteral("computer") : QStringLiteral("host"), metrics::rowIcon, Colour::Muted));
        across->addLayout(beside);
        across->setAlignment(beside, Qt::AlignTop);
        auto *name = new ElidedLabel(host && !labels.contains(id) ? host->label : hostLabel(id, labels));
        name->setFixedSize(hostWidth, boxHeight);
        across->addWidget(name, 0, Qt::AlignTop);
        auto *boxes = new QWidget;
        auto *flow = new FlowLayout(metrics::space1, boxes);
        const auto planned = [&](const QList<int> &tasks, const QString &text, const QString &tip) {
            auto *box = new PlaceBox(text, PlaceBox::Kind::Planned, tasks);
            connect(
                box, &QAbstractButton::clicked, this, [this, task = tasks.constFirst()] { Q_EMIT taskClicked(task); });
            addBox(flow, box, tip);
        };
        const auto tasksText = [&](const QList<int> &tasks) {
            const PlannedTask &task = plan.tasks.at(tasks.constFirst());
            return tasks.size() > 1           ? tr("%1 tasks").arg(tasks.size())
                : counts.value(task.role) > 1 ? taskLabel(shortNames.value(task.role), task.index)
                                              : shortNames.value(task.role); // there is no other
        };
        const auto tasksTip = [&](const QList<int> &tasks) {
            QStringList names;
            for (const int task : tasks.first(std::min<qsizetype>(tasks.size(), mostBoxes))) {
                names.append(taskLabel(plan.tasks.at(task)));
            }
            return names.join(QStringLiteral(", "));
        };
        QList<int> indexes;
        for (const GpuInfo &gpu : host ? host->gpus : QList<GpuInfo>()) {
            indexes.append(gpu.index);
        }
        for (const auto &[index, tasks] : use.tasksOfGpu) {
            if (!indexes.contains(index)) {
                indexes.append(index);
            }
        }
        std::sort(indexes.begin(), indexes.end());
        for (const int index : std::as_const(indexes).first(std::min(mostBoxes, indexes.size()))) {
            if (const auto it = use.tasksOfGpu.find(index); it != use.tasksOfGpu.end()) {
                planned(it->second, tasksText(it->second), tr("GPU %1: %2").arg(index).arg(tasksTip(it->second)));
                continue;
            }
            const auto gpu = std::find_if(
                host->gpus.cbegin(), host->gpus.cend(), [&](const GpuInfo &each) { return each.index == index; });
            const GpuUse state = useOf(*gpu);
            const bool isFree = state == GpuUse::Free;
            const QString text = isFree || state == GpuUse::Ours ? ownerText(*gpu)
                : state == GpuUse::Foreign                       ? tr("in use")
                : state == GpuUse::Kept                          ? tr("kept")
                                                                 : tr("lost");
            addBox(flow, new PlaceBox(text, isFree ? PlaceBox::Kind::Free : PlaceBox::Kind::Taken, {}),
                tr("GPU %1: %2").arg(index).arg(ownerText(*gpu)));
        }
        for (const auto &[role, tasks] : use.withoutGpu) {
            planned(tasks, tasks.size() > 1 ? tr("%1 × %2").arg(role).arg(tasks.size()) : tasksText(tasks),
                tr("Without a GPU: %1").arg(tasksTip(tasks)));
        }
        across->addWidget(boxes, 1);
        m_rows->addWidget(row);
    }
    if (order.size() > mostHosts) {
        m_rows->addWidget(smallMutedLabel(tr("and %1 more hosts").arg(order.size() - mostHosts)));
    }
    setVisible(!order.isEmpty());
}

void PlacementView::setCurrent(int task)
{
    const QList<QAbstractButton *> boxes = findChildren<QAbstractButton *>();
    for (QAbstractButton *button : boxes) {
        auto *box = static_cast<PlaceBox *>(button);
        box->setCurrent(box->holds(task));
    }
}

QStringList PlacementView::rows() const
{
    QStringList rows;
    for (int i = 0; i < m_rows->count(); ++i) {
        const QWidget *row = m_rows->itemAt(i)->widget();
        const auto *name = row->findChild<ElidedLabel *>();
        QStringList texts;
        const QList<QAbstractButton *> boxes = row->findChildren<QAbstractButton *>();
        for (const QAbstractButton *box : boxes) {
            texts.append(box->text());
        }
        if (name) {
            rows.append(name->text() + QStringLiteral(": ") + texts.join(QStringLiteral(", ")));
        }
    }
    return rows;
}

} // namespace trainyard
