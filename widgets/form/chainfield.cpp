// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/chainfield.h"

#include "model/template/render.h"
#include "widgets/common/chip.h"
#include "widgets/common/icons.h"
#include "widgets/common/labels.h"
#include "widgets/common/tokens.h"
#include "widgets/form/formcontext.h"

#include <QApplication>
#include <QBoxLayout>
#include <QDrag>
#include <QKeyEvent>
#include <QMenu>
#include <QMimeData>
#include <QMouseEvent>

namespace trainyard
{
namespace
{
const char dragFormat[] = "application/x-trainyard-chain-index";
}

QString prerequisiteIcon(const QString &type)
{
    if (type == u"dockerimage") {
        return QStringLiteral("box");
    }
    if (type == u"data") {
        return QStringLiteral("database");
    }
    if (type == u"output") {
        return QStringLiteral("folder");
    }
    return QStringLiteral("script");
}

ChainField::ChainField(FormContext *context, const YamlPath &path, QWidget *parent) : ChipsField(context, path, parent)
{
    m_chips->setAcceptDrops(true);
    m_chips->installEventFilter(this);
}

void ChainField::refresh()
{
    const QStringList names = context()->texts(path());
    const QStringList known = context()->prerequisiteNames();
    QStringList now;
    for (const QString &name : names) {
        const YamlPath place = context()->prerequisitePath(name);
        now.append(name + u'\n'
            + (place.isEmpty() ? QStringLiteral("?")
                               : context()->text(place.child(QStringLiteral("type"))).value_or(QString())));
    }
    now.append(context()->isReadOnly() ? QStringLiteral("r") : QStringLiteral("w"));

    QString help;
    if (!names.isEmpty()) {
        help = m_help;
        const JobSpec *spec = context()->spec();
        const TaskRole *role = spec && !m_role.isEmpty() ? spec->role(m_role) : nullptr;
        if (role) {
            const Result<QStringList> expanded = expandPrerequisites(*spec, *role);
            if (expanded && *expanded != names) {
                help = tr("With what they require: %1. After success in reverse")
                           .arg(expanded->join(QStringLiteral(" → ")));
            }
        }
    }
    setHelp(help);
    if (now == m_shown) {
        return;
    }
    m_shown = now;
    const bool focused = isFocusInChips();
    QLayout *flow = m_chips->layout();
    clearChips();
    QList<Chip *> chips;
    for (qsizetype i = 0; i < names.size(); ++i) {
        const QString &name = names.at(i);
        if (i > 0) {
            auto *arrow = new QWidget;
            auto *centre = new QHBoxLayout(arrow);
            centre->setContentsMargins(0, 0, 0, 0);
            centre->addWidget(new IconLabel(QStringLiteral("arrow-right"), metrics::smallIcon, Colour::Muted));
            arrow->setFixedSize(metrics::smallIcon, metrics::chip);
            flow->addWidget(arrow);
        }
        const YamlPath place = context()->prerequisitePath(name);
        auto *chip = new Chip(name);
        chip->setObjectName(QStringLiteral("chain_%1").arg(i));
        chip->setProperty("chainIndex", i);
        chip->setIconName(prerequisiteIcon(context()->text(place.child(QStringLiteral("type"))).value_or(QString())));
        chip->setError(!known.contains(name));
        chip->setToolTip(plainTip(known.contains(name)
                ? tr("Drag it, or Alt+Left and Alt+Right, to change the order. Delete removes it.")
                : tr("There is no prerequisite %1 in this job.").arg(name)));
        watchFocus(chip, path().child(i));
        connect(chip, &Chip::clicked, this, [this, i, chip] { openMenu(i, chip); });
        flow->addWidget(chip);
        chip->show(); // now: it may have to take the focus
        chips.append(chip);
    }
    if (!context()->isReadOnly()) {
        Chip *adder = Chip::adder(tr("Add a prerequisite"));
        adder->setObjectName(QStringLiteral("chainAdd"));
        watchFocus(adder);
        connect(adder, &Chip::clicked, this, [this, adder] { openAdder(adder); });
        flow->addWidget(adder);
        adder->show();
        if (focused && (m_focusNext < 0 || m_focusNext >= chips.size())) {
            adder->setFocus();
        }
    }
    if (m_focusNext >= 0 && m_focusNext < chips.size()) {
        chips.at(m_focusNext)->setFocus();
    }
    m_focusNext = -1;
}

void ChainField::openMenu(qsizetype index, QWidget *chip)
{
    auto *menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("chainMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const qsizetype count = context()->count(path());
    const QString name = context()->texts(path()).value(index);
    const YamlPath place = context()->prerequisitePath(name);
    QAction *go
        = menu->addAction(tr("Go to its definition"), this, [this, place] { Q_EMIT context()->jumpRequested(place); });
    go->setEnabled(!place.isEmpty());
    if (!context()->isReadOnly()) {
        menu->addSeparator();
        menu->addAction(
                icon(QStringLiteral("chevron-left")), tr("Earlier"), this, [this, index] { move(index, index - 1); })
            ->setEnabled(index > 0);
        menu->addAction(
                icon(QStringLiteral("chevron-right")), tr("Later"), this, [this, index] { move(index, index + 1); })
            ->setEnabled(index + 1 < count);
        menu->addAction(icon(QStringLiteral("remove")), tr("Take it away"), this, [this, index] { removeItem(index); });
    }
    menu->popup(chip->mapToGlobal(QPoint(0, chip->height() + 2)));
}

void ChainField::openAdder(QWidget *adder)
{
    auto *menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("chainAddMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const QStringList used = context()->texts(path());
    for (const QString &name : context()->prerequisiteNames()) {
        const QString type
            = context()->text(context()->prerequisitePath(name).child(QStringLiteral("type"))).value_or(QString());
        if (type == u"dockerimage" || used.contains(name) || name == m_excluded) {
            continue;
        }
        menu->addAction(icon(prerequisiteIcon(type)), plainCaption(name), this, [this, name] { append(name); });
    }
    if (menu->isEmpty()) {
        menu->addAction(tr("There is no other one yet: add it under Prerequisites"))->setEnabled(false);
    }
    menu->popup(adder->mapToGlobal(QPoint(0, adder->height() + 2)));
}

void ChainField::move(qsizetype from, qsizetype to)
{
    const qsizetype count = context()->count(path());
    if (from == to || to < 0 || to >= count || context()->isReadOnly()) {
        return;
    }
    m_focusNext = to;
    context()->edit({edit::Move{path().child(from), to}});
}

void ChainField::removeItem(qsizetype index)
{
    const bool last = context()->count(path()) == 1;
    m_focusNext = index > 0 ? index - 1 : 0;
    context()->edit({edit::Remove{last ? path() : path().child(index)}});
}

void ChainField::append(const QString &name)
{
    const qsizetype count = context()->count(path());
    m_focusNext = count;
    QList<edit::Op> ops;
    ops.append(edit::InsertText{path().child(count), name});
    context()->edit(ops);
}

bool ChainField::eventFilter(QObject *watched, QEvent *event)
{
    auto *chip = qobject_cast<Chip *>(watched);
    const QVariant index = chip ? chip->property("chainIndex") : QVariant();
    if (index.isValid()) {
        const qsizetype at = index.toLongLong();
        if (event->type() == QEvent::KeyPress) {
            const auto *key = static_cast<QKeyEvent *>(event);
            if (key->modifiers() & Qt::AltModifier && (key->key() == Qt::Key_Left || key->key() == Qt::Key_Right)) {
                move(at, key->key() == Qt::Key_Left ? at - 1 : at + 1);
                return true;
            }
            if ((key->key() == Qt::Key_Delete || key->key() == Qt::Key_Backspace) && !context()->isReadOnly()) {
                removeItem(at);
                return true;
            }
        } else if (event->type() == QEvent::MouseButtonPress) {
            m_pressed = static_cast<QMouseEvent *>(event)->pos();
        } else if (event->type() == QEvent::MouseMove && static_cast<QMouseEvent *>(event)->buttons() & Qt::LeftButton
            && (static_cast<QMouseEvent *>(event)->pos() - m_pressed).manhattanLength()
                >= QApplication::startDragDistance()
            && !context()->isReadOnly()) {
            auto *drag = new QDrag(chip);
            auto *payload = new QMimeData;
            payload->setData(QLatin1String(dragFormat), QByteArray::number(at));
            drag->setMimeData(payload);
            drag->setPixmap(chip->grab());
            drag->setHotSpot(m_pressed);
            chip->setDown(false);
            drag->exec(Qt::MoveAction);
            return true;
        }
    } else if (watched == m_chips) {
        if (event->type() == QEvent::DragEnter || event->type() == QEvent::DragMove) {
            auto *drag = static_cast<QDragMoveEvent *>(event);
            const QObject *source = drag->source();
            if (source && drag->mimeData()->hasFormat(QLatin1String(dragFormat)) && source->parent() == m_chips) {
                drag->acceptProposedAction();
                return true;
            }
        } else if (event->type() == QEvent::Drop) {
            auto *drop = static_cast<QDropEvent *>(event);
            const qsizetype from = drop->mimeData()->data(QLatin1String(dragFormat)).toLongLong();
            qsizetype to = 0;
            const auto all = m_chips->findChildren<Chip *>(Qt::FindDirectChildrenOnly);
            for (const Chip *other : all) {
                const QVariant otherIndex = other->property("chainIndex");
                if (!other->isHidden() && otherIndex.isValid() && otherIndex.toLongLong() != from
                    && (other->geometry().bottom() < drop->position().y()
                        || (other->geometry().top() <= drop->position().y()
                            && other->geometry().center().x() < drop->position().x()))) {
                    ++to;
                }
            }
            drop->acceptProposedAction();
            QMetaObject::invokeMethod(
                this, [this, from, to] { move(from, to); }, Qt::QueuedConnection);
            return true;
        }
    }
    return FormField::eventFilter(watched, event);
}

} // namespace trainyard
