// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/keynamefield.h"

#include "widgets/common/style.h"
#include "widgets/form/formcontext.h"
#include "widgets/form/formops.h"

#include <QLineEdit>

namespace trainyard
{

KeyNameField::KeyNameField(FormContext *context, const QString &objectName, const QString &taken, QWidget *parent)
    : TypedField(context, {}, parent), m_edit(new QLineEdit), m_taken(taken)
{
    m_edit->setObjectName(objectName);
    setControl(m_edit);
    watchFocus(m_edit);
    showBeginning(m_edit);
    connect(m_edit, &QLineEdit::textEdited, this, &KeyNameField::typed);
    connect(m_edit, &QLineEdit::editingFinished, this, &KeyNameField::commitPending);
}

void KeyNameField::refresh()
{
    if (isPending()) {
        return;
    }
    QString name;
    if (!path().isEmpty()) {
        if (const auto *key = std::get_if<QString>(&path().last())) {
            name = *key;
        }
    }
    const QVariant refused = context()->refused(path());
    if (refused.isValid()) {
        name = refused.toString();
    } else {
        setFieldError(m_edit, false);
    }
    m_edit->setReadOnly(context()->isReadOnly());
    if (m_edit->text() != name) {
        m_edit->setText(name);
    }
}

void KeyNameField::commit(Commit when)
{
    const QString from = std::get<QString>(path().last());
    const QString to = m_edit->text().trimmed();
    if (to == from) {
        dropPending();
        return;
    }
    const bool taken = context()->keys(path().parent()).contains(to);
    setFieldError(m_edit, to.isEmpty() || taken);
    if (when == Commit::Pause || (when == Commit::Rest && (to.isEmpty() || taken))) {
        return; // a key in the making would rename references letter by letter
    }
    dropPending();
    if (to.isEmpty() || taken) {
        m_edit->setText(from);
        setFieldError(m_edit, false);
        if (taken) {
            context()->tell({FormNotice::Kind::Waiting, m_taken.arg(to, from)});
        }
        return;
    }
    const QList<edit::Op> ops = renameOps(*context(), path(), to);
    if (ops.isEmpty()) {
        refresh();
        return;
    }
    Q_EMIT renamed(from, to);
    send(ops);
}

} // namespace trainyard
