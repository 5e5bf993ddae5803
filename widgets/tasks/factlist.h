// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/tasks/previewfacts.h"

#include <QWidget>

class QVBoxLayout;

namespace trainyard
{

/** A heading and sentences with a mark before each, wrapped to the width there is. Hidden while it has none. */
class FactList : public QWidget
{
    Q_OBJECT
public:
    explicit FactList(const QString &heading, QWidget *parent = nullptr);
    void setFacts(const QList<PreviewFact> &facts);
    QStringList texts() const;

private:
    QVBoxLayout *m_rows;
    QList<PreviewFact> m_facts;
};

} // namespace trainyard
