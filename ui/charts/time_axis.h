// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <initializer_list>

namespace lockui {

/// Of an axis of clock times: its labels stand at times that people count in. In milliseconds.
inline double timeAxisStep(double least)
{
    for (const double step : { 1., 2., 5., 10., 20., 50., 100., 200., 500., 1e3, 2e3, 5e3, 10e3, 15e3, 30e3, 60e3,
             120e3, 300e3, 600e3, 900e3, 1800e3, 3600e3, 7200e3, 21600e3, 43200e3 })
        if (step >= least)
            return step;
    return 86'400e3;
}

} // namespace lockui
