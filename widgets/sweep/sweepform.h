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
class ElidedLabel;
class SegmentedControl;

// The effect of a rule: above all, why it would stop no job. Empty without a rule.
QStringList ruleNotes(const RuleEffect &effect);

// The inputs of a sweep: the values of each parameter, how they are combined, and the group.
class SweepForm : public QWidget
{
    Q_OBJECT
public:
    explicit SweepForm(const SweepDraft &draft, QWidget *parent = nullptr);

    const SweepDraft &draft() const { return m_draft; }
    // The problem of each field in a line below it that is always there, so that nothing moves while the user types.
    void showPreview(const SweepPreview &preview);
    void focusFirst(); // the values of the first parameter
    // The group that is made; after showPreview().
    void showGroup(const QString &made);

Q_SIGNALS:
    void changed();

private:
    struct Row {
        QCheckBox *name = nullptr;
        QLineEdit *values = nullptr;
        ElidedLabel *note = nullptr;
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
    ElidedLabel *m_ruleNote = nullptr;
    ColourLabel *m_groupNote = nullptr; // nothing is below it that would move: it may have several lines
};

} // namespace trainyard
