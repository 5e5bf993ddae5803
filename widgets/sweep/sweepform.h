// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/sweep/sweepdraft.h"

#include <QWidget>

class QCheckBox;
class QGridLayout;
class QLineEdit;
class QSpinBox;

namespace trainyard
{

class ColourLabel;
class SegmentedControl;

// What is asked of a sweep: the values of each parameter, how they are combined, and the group.
class SweepForm : public QWidget
{
    Q_OBJECT
public:
    explicit SweepForm(const SweepDraft &draft, QWidget *parent = nullptr);

    const SweepDraft &draft() const { return m_draft; }
    void showPreview(const SweepPreview &preview); // what is wrong, under the fields

Q_SIGNALS:
    void changed();

private:
    struct Row {
        QCheckBox *name = nullptr;
        QLineEdit *values = nullptr;
        ColourLabel *note = nullptr;
    };
    void addParameters(QGridLayout *grid);
    void addCombination(QGridLayout *grid);
    void addGroup(QGridLayout *grid);
    void read();

    SweepDraft m_draft;
    QList<Row> m_rows;
    SegmentedControl *m_kind = nullptr;
    QWidget *m_random = nullptr;
    QSpinBox *m_count = nullptr;
    QSpinBox *m_seed = nullptr;
    QSpinBox *m_limit = nullptr;
    QLineEdit *m_rule = nullptr;
    QLineEdit *m_group = nullptr;
    ColourLabel *m_ruleNote = nullptr;
    ColourLabel *m_groupNote = nullptr;
};

} // namespace trainyard
