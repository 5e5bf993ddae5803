// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/portsfield.h"

#include "widgets/common/chip.h"
#include "widgets/common/labels.h"
#include "widgets/common/style.h"
#include "widgets/common/tokens.h"
#include "widgets/form/fields.h"
#include "widgets/form/formcontext.h"
#include "widgets/form/popup.h"

#include <QBoxLayout>
#include <QLineEdit>
#include <QPushButton>

namespace trainyard
{

PortsField::PortsField(FormContext *context, const YamlPath &path, QWidget *parent) : ChipsField(context, path, parent)
{
}

void PortsField::refresh()
{
    QStringList now;
    // Without a role there is no place, and the root has other keys.
    const QStringList labels = path().isEmpty() ? QStringList() : context()->keys(path());
    for (const QString &label : labels) {
        now.append(label + u'=' + context()->text(path().child(label)).value_or(QString()));
    }
    now.append(context()->isReadOnly() ? QStringLiteral("r") : QStringLiteral("w"));
    const bool hasAll = labels.contains(QStringLiteral("ssh")) && labels.contains(QStringLiteral("http"));
    setHelp(hasAll ? QString() : tr("Every task also gets one port each for ssh and http."));
    if (now == m_shown) {
        return;
    }
    m_shown = now;
    // A chip with the focus hands it to the one that takes its place.
    const bool focused = isFocusInChips();
    QLayout *flow = m_chips->layout();
    clearChips();
    for (const QString &label : labels) {
        auto *chip = new Chip(label);
        chip->setObjectName(QStringLiteral("port_") + label);
        chip->setIconName(QStringLiteral("network"));
        chip->setDetail(context()->text(path().child(label)).value_or(QString()));
        chip->setToolTip(plainTip(tr("Port numbers are given at start: PAI_PORT_LIST_<role>_<index>_%1").arg(label)));
        watchFocus(chip, path().child(label));
        connect(chip, &Chip::clicked, this, [this, label, chip] { edit(label, chip); });
        flow->addWidget(chip);
        chip->show(); // now: it may have to take the focus
    }
    if (!context()->isReadOnly()) {
        Chip *adder = Chip::adder(tr("Add a port"));
        adder->setObjectName(QStringLiteral("portAdd"));
        watchFocus(adder);
        connect(adder, &Chip::clicked, this, [this, adder] { edit({}, adder); });
        flow->addWidget(adder);
        adder->show();
    }
    if (focused && flow->count() > 0) {
        flow->itemAt(flow->count() - 1)->widget()->setFocus();
    }
}

void PortsField::edit(const QString &label, QWidget *beside)
{
    if (context()->isReadOnly()) {
        return;
    }
    auto *popup = new Popup(this);
    popup->setObjectName(QStringLiteral("portPopup"));
    auto *row = new QHBoxLayout(popup);
    row->setContentsMargins(metrics::space2, metrics::space2, metrics::space2, metrics::space2);
    row->setSpacing(metrics::space2);
    auto *name = new QLineEdit(label);
    name->setObjectName(QStringLiteral("portLabel"));
    name->setPlaceholderText(tr("label"));
    name->setFixedWidth(140);
    auto *count = new NumberBox;
    count->setObjectName(QStringLiteral("portCount"));
    count->setRange(0, 1000);
    count->setDefault(1);
    const QString before = label.isEmpty() ? QString() : context()->text(path().child(label)).value_or(QString());
    count->setText(before);
    auto *done = new QPushButton(label.isEmpty() ? tr("Add") : tr("Done"));
    done->setObjectName(QStringLiteral("portDone"));
    done->setDefault(true);
    row->addWidget(name);
    row->addWidget(count);
    row->addWidget(done);
    const auto write = [this, popup, name, count, label] {
        const QString newLabel = name->text().trimmed();
        const auto number = count->value();
        setFieldError(name, newLabel.isEmpty());
        setFieldError(count, !number);
        if (newLabel.isEmpty() || !number) {
            return false;
        }
        context()->catchUp();
        const QStringList present = context()->keys(path());
        if (newLabel != label && present.contains(newLabel)) {
            setFieldError(name, true);
            name->setToolTip(plainTip(tr("There is a port %1 already.").arg(newLabel)));
            return false;
        }
        QList<edit::Op> ops;
        if (!label.isEmpty() && newLabel != label) {
            ops.append(edit::RenameKey{path().child(label), newLabel});
        }
        const QByteArray text = QByteArray::number(*number);
        if (label.isEmpty() || context()->text(path().child(label)) != QString::fromLatin1(text)) {
            ops.append(edit::SetValue{path().child(newLabel), text});
        }
        popup->close();
        context()->edit(ops);
        return true;
    };
    const auto hasTyped = [name, count, label, before] {
        const bool isEmpty = name->text().trimmed().isEmpty() && count->text().isEmpty();
        return !isEmpty && (name->text() != label || count->text() != before);
    };
    popup->setTyping(hasTyped, write);
    if (!label.isEmpty()) {
        auto *remove = new QPushButton(tr("Remove"));
        remove->setObjectName(QStringLiteral("portRemove"));
        row->addWidget(remove);
        connect(remove, &QPushButton::clicked, this, [this, popup, label] {
            popup->dismiss();
            context()->catchUp();
            // The protocol requires at least one entry or no map.
            const bool last = context()->count(path()) == 1;
            context()->edit({edit::Remove{last ? path() : path().child(label)}});
        });
    }
    connect(done, &QPushButton::clicked, popup, &Popup::finish);
    connect(name, &QLineEdit::returnPressed, popup, &Popup::finish);
    connect(count->edit(), &QLineEdit::returnPressed, popup, &Popup::finish);
    popup->openBelow(beside);
    name->setFocus();
    name->selectAll();
}

} // namespace trainyard
