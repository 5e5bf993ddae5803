// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/form/fields.h"

namespace trainyard
{

// A name that is the key of its entry, as that of a task role is. Renaming it renames what refers to it by name.
class KeyNameField : public TypedField
{
    Q_OBJECT
public:
    // `taken` says why a name is not taken: %1 is that name, and %2 the one that stays.
    KeyNameField(FormContext *context, const QString &objectName, const QString &taken, QWidget *parent = nullptr);
    void refresh() override;
    bool covers(const YamlPath &path) const override { return !path.isEmpty() && path == this->path(); }
    QLineEdit *edit() const { return m_edit; }

Q_SIGNALS:
    void renamed(const QString &from, const QString &to);

protected:
    void commit(Commit when) override;

private:
    QLineEdit *m_edit;
    const QString m_taken;
};

} // namespace trainyard
