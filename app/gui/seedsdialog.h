// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QList>

class QLabel;
class QLineEdit;
class QPushButton;

namespace trainyard
{

// Asks with which seeds a job should run again. Call open(); it deletes itself.
class SeedsDialog : public QDialog
{
    Q_OBJECT
public:
    // `taken` are seeds with which it has run, to begin beyond them.
    SeedsDialog(const QString &job, const QString &parameter, const QList<qint64> &taken, QWidget *parent);
    QLineEdit *field() const { return m_field; }

    // "3, 5-7" and "3 5 6 7" are 3, 5, 6 and 7; nothing for what is not a list of whole numbers, or too long a one.
    static std::optional<QList<qint64>> seedsOf(const QString &text);
    static constexpr int mostSeeds = 100;

Q_SIGNALS:
    void seedsGiven(const QList<qint64> &seeds);

private:
    void update();
    QLineEdit *m_field;
    QLabel *m_words;
    QPushButton *m_run;
};

} // namespace trainyard
