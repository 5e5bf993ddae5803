// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/form/fields.h"

namespace trainyard
{

// The name of a task role: the key of its entry. Renaming it renames what refers to it by name.
class RoleNameField : public TypedField
{
    Q_OBJECT
public:
    RoleNameField(FormContext *context, QWidget *parent = nullptr);
    void refresh() override;
    bool covers(const YamlPath &path) const override { return !path.isEmpty() && path == this->path(); }
    QLineEdit *edit() const { return m_edit; }

Q_SIGNALS:
    void renamed(const QString &from, const QString &to);

protected:
    void commit(Commit when) override;

private:
    QLineEdit *m_edit;
};

} // namespace trainyard
