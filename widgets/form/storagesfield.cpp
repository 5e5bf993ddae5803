// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/storagesfield.h"

#include "model/yaml/yamledit.h"
#include "widgets/common/chip.h"
#include "widgets/common/style.h"
#include "widgets/common/tokens.h"
#include "widgets/form/formcontext.h"
#include "widgets/form/formgrid.h"
#include "widgets/form/formkeys.h"
#include "widgets/form/popup.h"

#include <QBoxLayout>
#include <QCheckBox>
#include <QCompleter>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

#include <tuple>

namespace trainyard
{
StoragesField::StoragesField(FormContext *context, const YamlPath &path, QWidget *parent)
    : ChipsField(context, path, parent)
{
}

void StoragesField::refresh()
{
    QStringList now;
    const qsizetype count = context()->count(path());
    for (qsizetype i = 0; i < count; ++i) {
        const YamlPath at = path().child(i);
        now.append(context()->text(at.child(k("name"))).value_or(tr("(no name)")) + u'\n'
            + context()->text(at.child(k("mountPath"))).value_or(QString()));
    }
    const YamlNode *node = context()->node(path());
    setHelp(
        node && node->isSequence() && count == 0 ? tr("An empty list: the default storages of the user") : QString());
    const QStringList shown = now + QStringList(context()->isReadOnly() ? k("r") : k("w"));
    if (shown == m_shown) {
        return;
    }
    m_shown = shown;
    clearChips();
    for (qsizetype i = 0; i < count; ++i) {
        auto *chip = new Chip(now.at(i).section(u'\n', 0, 0));
        chip->setObjectName(QStringLiteral("storage_%1").arg(i));
        chip->setIconName(QStringLiteral("database"));
        chip->setDetail(now.at(i).section(u'\n', 1));
        watchFocus(chip, path().child(i));
        connect(chip, &Chip::clicked, this, [this, i, chip] { edit(i, chip); });
        m_chips->layout()->addWidget(chip);
        chip->show();
    }
    if (!context()->isReadOnly()) {
        Chip *adder = Chip::adder(tr("Add a storage"));
        adder->setObjectName(QStringLiteral("storageAdd"));
        watchFocus(adder);
        connect(adder, &Chip::clicked, this, [this, adder] { edit(-1, adder); });
        m_chips->layout()->addWidget(adder);
        adder->show();
    }
}

void StoragesField::edit(qsizetype index, QWidget *beside)
{
    if (context()->isReadOnly()) {
        return;
    }
    const bool fresh = index < 0;
    const YamlPath at = path().child(fresh ? context()->count(path()) : index);
    const auto text
        = [&](const char *key) { return fresh ? QString() : context()->text(at.child(k(key))).value_or(QString()); };
    auto *popup = new Popup(this);
    popup->setObjectName(QStringLiteral("storagePopup"));
    auto *column = new QVBoxLayout(popup);
    column->setContentsMargins(metrics::space2, metrics::space2, metrics::space3, metrics::space2);
    auto *grid = new FormGrid;
    column->addWidget(grid);
    const auto line = [&](const QString &label, const char *key, const QString &placeholder, const char *objectName) {
        auto *made = new QLineEdit(text(key));
        made->setObjectName(QLatin1String(objectName));
        made->setPlaceholderText(placeholder);
        made->setMinimumWidth(220);
        grid->addRow(label, made)->setBuddy(made);
        return made;
    };
    auto *name = line(tr("Name"), "name", tr("as the cluster calls it"), "storageName");
    auto *known = new QCompleter(context()->knownClusters().storages, name);
    known->setCaseSensitivity(Qt::CaseInsensitive);
    name->setCompleter(known);
    auto *mount = line(tr("Mounted at"), "mountPath", tr("/mnt/<name>"), "storageMount");
    auto *share = new QCheckBox(tr("All of it, not only my own folder"));
    share->setObjectName(QStringLiteral("storageShare"));
    share->setChecked(text("share") != u"false");
    grid->addRow(QString(), share);
    auto *readOnly = new QCheckBox(tr("Read only"));
    readOnly->setObjectName(QStringLiteral("storageReadOnly"));
    readOnly->setChecked(text("readOnly") == u"true");
    grid->addRow(QString(), readOnly);
    auto *buttons = new QHBoxLayout;
    buttons->addStretch(1);
    if (!fresh) {
        auto *remove = new QPushButton(tr("Remove"));
        remove->setObjectName(QStringLiteral("storageRemove"));
        buttons->addWidget(remove);
        connect(remove, &QPushButton::clicked, this, [this, popup, at] {
            popup->dismiss();
            context()->edit({edit::Remove{at}});
        });
    }
    auto *done = new QPushButton(fresh ? tr("Add") : tr("Done"));
    done->setObjectName(QStringLiteral("storageDone"));
    done->setDefault(true);
    buttons->addWidget(done);
    column->addLayout(buttons);
    const auto write = [=, this] {
        setFieldError(name, name->text().trimmed().isEmpty());
        if (name->text().trimmed().isEmpty()) {
            return false;
        }
        QList<edit::Op> ops;
        const auto set = [&](const char *key, const QString &now) {
            const auto before = fresh ? std::nullopt : context()->text(at.child(k(key)));
            if (now.isEmpty() && before) {
                ops.append(edit::Remove{at.child(k(key))});
            } else if (!now.isEmpty() && before != now) {
                ops.append(edit::SetText{at.child(k(key)), now});
            }
        };
        const auto setFlag = [&](const char *key, bool on, bool byDefault) {
            const bool before = fresh
                ? byDefault
                : context()->text(at.child(k(key))).value_or(byDefault ? k("true") : k("false")) == u"true";
            if (on != before) {
                ops.append(edit::SetValue{at.child(k(key)), on ? "true" : "false"});
            }
        };
        set("name", name->text().trimmed());
        set("mountPath", mount->text().trimmed());
        setFlag("share", share->isChecked(), true);
        setFlag("readOnly", readOnly->isChecked(), false);
        popup->close();
        context()->edit(ops);
        return true;
    };
    const auto state
        = [=] { return std::tuple(name->text(), mount->text(), share->isChecked(), readOnly->isChecked()); };
    popup->setTyping([state, before = state()] { return state() != before; }, write);
    connect(done, &QPushButton::clicked, popup, &Popup::finish);
    connect(name, &QLineEdit::returnPressed, popup, &Popup::finish);
    connect(mount, &QLineEdit::returnPressed, popup, &Popup::finish);
    popup->openBelow(beside);
    name->setFocus();
    name->selectAll();
}

} // namespace trainyard
